@node "%~dp0pinned.mjs" "%~dp0..\src\cli\main.ts" %*
