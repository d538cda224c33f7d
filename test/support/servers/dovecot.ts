import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MailSource } from '../../../src/config/schema/sources/mail.ts';
import { freePort } from '../free-port.ts';
import { findProgram } from '../programs.ts';
import { tempFolder } from '../temp-folder.ts';
import { type Daemon, startDaemon } from './daemon.ts';
import { MAIL_PASSWORD, mailSource } from './mail-source.ts';

export type Dovecot = Daemon & {
  source: MailSource;
  /** Puts a mail into the inbox as it came over the wire; a later one is newer. */
  deliver: (mail: Buffer | string, second?: number) => void;
  /** Forgets all UIDs: the mailbox has another UIDVALIDITY then. */
  renumber: () => void;
  /** Lets it read its list of users no more. */
  hidePasswords: () => void;
  /** The maildir. */
  folder: string;
};

type Server = {
  capability?: string;
  /** Where it asks whether a token is good (RFC 7662), and in which ways it takes them. */
  introspection?: string;
  tokens?: string;
};

/** Starts Dovecot with one mailbox, for IMAP with TLS from the first byte, or after STARTTLS. Root lets another user own the mails. */
export async function startDovecot(
  changes: Partial<MailSource> = {},
  { capability, introspection, tokens = 'xoauth2 oauthbearer' }: Server = {},
): Promise<Dovecot> {
  const [home, plain, secure] = [tempFolder(), await freePort(), await freePort()];
  const { uid, gid, username } = userInfo();
  const asRoot = uid === 0;
  const [user, group] = asRoot ? ['nobody', 'nogroup'] : [username, execFileSync('id', ['-gn']).toString().trim()];
  const folder = join(home, 'user', 'Maildir');
  for (const name of ['new', 'cur', 'tmp']) mkdirSync(join(folder, name), { recursive: true });
  const own = () => asRoot && execFileSync('chown', ['-R', 'nobody:nogroup', join(home, 'user')]);
  own();
  if (asRoot) execFileSync('chmod', ['755', home]);
  writeFileSync(join(home, 'passwords'), `buyer:{PLAIN}${MAIL_PASSWORD}\n`);
  // Its own processes read it, whatever the umask of the test is.
  chmodSync(join(home, 'passwords'), 0o644);
  const pem = (name: string) => fileURLToPath(new URL(`../tls/${name}.pem`, import.meta.url));
  const [mailUid, mailGid] = asRoot ? [65_534, 65_534] : [uid, gid];
  const settings = `
base_dir = ${join(home, 'run')}
state_dir = ${join(home, 'state')}
log_path = /dev/stderr
protocols = imap
listen = 127.0.0.1
default_internal_user = ${user}
default_internal_group = ${group}
default_login_user = ${user}
first_valid_uid = ${Math.min(mailUid, 500)}
first_valid_gid = ${Math.min(mailGid, 1)}
ssl = yes
ssl_cert = <${pem('certificate')}
ssl_key = <${pem('key')}
disable_plaintext_auth = no
auth_mechanisms = plain login ${tokens}
auth_failure_delay = 0
${capability === undefined ? '' : `imap_capability = ${capability}`}
mail_location = maildir:~/Maildir
namespace inbox {
  inbox = yes
}
${
  introspection === undefined
    ? ''
    : `passdb {
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = ${join(home, 'oauth2')}
}`
}
passdb {
  driver = passwd-file
  args = ${join(home, 'passwords')}
}
userdb {
  driver = static
  args = uid=${mailUid} gid=${mailGid} home=${join(home, 'user')}
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${plain}
  }
  inet_listener imaps {
    port = ${secure}
    ssl = yes
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
`;
  if (introspection !== undefined) {
    const lines = {
      introspection_mode: 'post',
      introspection_url: introspection,
      username_attribute: 'username',
      active_attribute: 'active',
      active_value: 'true',
    };
    writeFileSync(
      join(home, 'oauth2'),
      Object.entries(lines)
        .map(([name, value]) => `${name} = ${value}\n`)
        .join(''),
    );
    chmodSync(join(home, 'oauth2'), 0o644);
  }
  writeFileSync(join(home, 'config'), settings);
  const daemon = await startDaemon(findProgram('dovecot') ?? 'dovecot', ['-F', '-c', join(home, 'config')], secure);
  const security = changes.security ?? 'implicit';
  const source = mailSource(security === 'implicit' ? secure : plain, { security, ...changes });
  let second = 1_700_000_000;
  let delivered = 0;
  return {
    source,
    ...daemon,
    folder,
    deliver: (mail, at = (second += 60)) => {
      const file = join(folder, 'new', `${at}.M${(delivered += 1)}P1.shop`);
      writeFileSync(file, mail);
      utimesSync(file, at, at);
      if (asRoot) chownSync(file, mailUid, mailGid);
    },
    hidePasswords: () => chmodSync(join(home, 'passwords'), 0),
    renumber: () => {
      for (const name of [
        'dovecot-uidlist',
        'dovecot.index',
        'dovecot.index.log',
        'dovecot.index.cache',
        'dovecot-uidvalidity',
      ]) {
        rmSync(join(folder, name), { force: true });
      }
    },
  };
}
