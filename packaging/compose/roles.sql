-- The database and two roles: one owns the tables and changes them, one works with them every day. docs/machines.md says why.
\set owner_password `cat /run/secrets/owner_password`
\set app_password `cat /run/secrets/app_password`
create role offerline_owner login password :'owner_password';
create role offerline_app login password :'app_password';
create database offerline owner offerline_owner;
\connect offerline
revoke create on schema public from public;
grant usage, create on schema public to offerline_owner;
grant usage on schema public to offerline_app;
grant select, insert, update, delete on all tables in schema public to offerline_app;
alter default privileges for role offerline_owner in schema public
  grant select, insert, update, delete on tables to offerline_app;
alter role offerline_app set statement_timeout = '300s';
