import type { KeptSentence } from './kept-sentence.ts';

/** Why a source gave no file: its address, credentials, certificate, or what its server said. */
export const PULLS: KeptSentence[] = [
  [
    /^(?<name>.{1,500}) names (?:no|too many) files, so it is no list of the files of a delivery \(source\.manifest\)\.$/u,
    'kept.pull.noManifest',
  ],
  [
    /^(?<place>\S+) refused the connection; check that the server is running and the port is right\.$/u,
    'kept.pull.refused',
  ],
  [
    /^(?<place>\S+) closed the connection (?:unexpectedly|before (?:the file|the transfer|it) was complete)\.$/u,
    'kept.pull.closed',
  ],
  [/^(?<place>\S+) closed the connection before all (?<bytes>\d+) bytes had arrived\.$/u, 'kept.pull.closedAt'],
  [
    /^(?<place>\S+) has an unknown host name; correct it in source, or check the name server\.$/u,
    'kept.pull.unknownHost',
  ],
  [
    /^(?<place>\S+) has a host name that could not be resolved: the name server does not answer\.$/u,
    'kept.pull.unresolved',
  ],
  [
    /^(?<place>\S+) cannot be reached(?: from this machine|: there is no network connection)\.$/u,
    'kept.pull.unreachable',
  ],
  [/^(?<place>\S+) does not answer\.$/u, 'kept.pull.noAnswer'],
  [
    /^(?<place>\S+) was silent for (?<seconds>[\d.]+) s \(source\.timeout\)(?:; if it is so each time, see whether it is an FTP server \(source\.type: ftp\))?\.$/u,
    'kept.pull.silent',
  ],
  [
    /^(?<place>\S+) has a certificate that is not trusted \((?<code>[^)]*)\); the supplier must renew it, or NODE_EXTRA_CA_CERTS must name its authority\.$/u,
    'kept.pull.certificate',
  ],
  [
    /^(?<place>\S+) does not speak TLS \((?<code>[^)]*)\); is the address http:\/\/ instead of https:\/\/\?$/u,
    'kept.pull.noTls',
  ],
  [/^(?<place>\S+) does not speak HTTP: what came is no reply\.$/u, 'kept.pull.noHttp'],
  [
    /^(?<place>\S+) was not asked: a header or credential of this feed has characters that cannot be sent\.$/u,
    'kept.pull.header',
  ],
  [
    /^(?<place>\S+) sent a file whose compression for the transfer is damaged or truncated\.$/u,
    'kept.pull.compression',
  ],
  [
    /^(?<place>\S+) answered 400: the server does not understand the request; check source\.url\.$/u,
    'kept.pull.status400',
  ],
  [
    /^(?<place>\S+) answered 401: the server requires other credentials; correct source\.auth of the feed\.$/u,
    'kept.pull.status401',
  ],
  [
    /^(?<place>\S+) answered 403: the server denies access; ask the supplier to grant it to these credentials\.$/u,
    'kept.pull.status403',
  ],
  [
    /^(?<place>\S+) answered 404: there is no (?:file|folder) at this address; correct source\.url, or ask the supplier(?: for the new one)?\.$/u,
    'kept.pull.status404',
  ],
  [/^(?<place>\S+) answered 407: a proxy requires credentials\.$/u, 'kept.pull.status407'],
  [/^(?<place>\S+) answered 408: the server timed out waiting for the request\.$/u, 'kept.pull.status408'],
  [
    /^(?<place>\S+) answered 410: the file has been removed permanently; ask the supplier for the new address\.$/u,
    'kept.pull.status410',
  ],
  [/^(?<place>\S+) answered 425: the server asks to be tried again later\.$/u, 'kept.pull.status425'],
  [/^(?<place>\S+) answered 429: too many requests; ask for the file less often\.$/u, 'kept.pull.status429'],
  [
    /^(?<place>\S+) answered (?<status>5\d\d): the server failed; ask the supplier if this persists\.$/u,
    'kept.pull.status5',
  ],
  [/^(?<place>\S+) answered (?<status>\d{3}): the server sent no file\.$/u, 'kept.pull.statusOther'],
  [
    /^(?<place>\S+) sent less than (?<bytes>\d+) bytes in (?<seconds>[\d.]+) s; ask the supplier why it is so slow\.$/u,
    'kept.pull.tooSlow',
  ],
  [/^(?<place>\S+) took longer than (?<seconds>[\d.]+) s \(source\.deadline\); .+\.$/u, 'kept.pull.tooLate'],
  [
    /^(?<place>\S+) has still not answered an earlier pull; check whether a network drive hangs\.$/u,
    'kept.pull.hanging',
  ],
  [
    /^(?<place>\S+) is a server for SSH, not FTP: set source\.type to sftp, or correct source\.port\.$/u,
    'kept.pull.ssh',
  ],
  [
    /^(?<place>\S+) does not begin with TLS: set source\.security to explicit, or correct source\.port \(990 is usual for implicit\)\.$/u,
    'kept.pull.implicit',
  ],
  [
    /^(?<place>\S+) does not offer TLS\. Ask the supplier for it, or set source\.security to implicit or none; it said: (?<quoted>.+)$/u,
    'kept.pull.offersNoTls',
  ],
  [
    /^(?<place>\S+) requires TLS\. Remove source\.security, or set it to explicit; it said: (?<quoted>.+)$/u,
    'kept.pull.needsTls',
  ],
  [
    /^(?<place>\S+) refused the credentials(?::|\.) [Cc]orrect source\.auth, or ask (?:the supplier|who runs the mailbox)\.?(?:; it said: (?<quoted>.+))?$/u,
    'kept.pull.credentials',
  ],
  [
    /^(?<place>\S+?):? (?:the server )?has not (?<quoted>.+?)(?:, or denies access to it)?\. Correct source\.path, or ask the supplier(?:; it said: .+|\.)$/u,
    'kept.pull.lacks',
  ],
  [
    /^(?<place>\S+): the server denies access to (?<quoted>.+)\. Ask the supplier to grant it to source\.auth\.user\.$/u,
    'kept.pull.denies',
  ],
  [/^(?<place>\S+?):? (?:the server )?refused (?<quoted>.+; it said: .+)$/u, 'kept.pull.refusedWhat'],
  [
    /^(?<place>\S+) has the host key (?<key>\S+), which is not pinned yet\. Compare it with what the supplier says, then write `hostKey: "[^"]*"` into source\.$/u,
    'kept.pull.newHostKey',
  ],
  [
    /^(?<place>\S+) has the host key (?<key>\S+), not (?<known>\S+): the server was replaced, or somebody is between\. Ask the supplier before you change source\.hostKey\.$/u,
    'kept.pull.otherHostKey',
  ],
  [
    /^(?<place>\S+) took the credentials, but does not speak SFTP: it has none for this user, or its login prints something first\. Ask the supplier\.$/u,
    'kept.pull.noSftp',
  ],
  [
    /^The folder (?<name>.{1,500}) (?:does not exist|is (?:no|not a) folder|cannot be read.*?)\. Create it, or correct source\.path of the feed\.$/u,
    'kept.pull.noFolder',
  ],
  [
    /^The folder (?<name>.{1,500}) is on none of the workers that looked: (?<names>.{1,2000})\. Create it on one of them, or correct source\.path of the feed\.$/u,
    'kept.pull.onNone',
  ],
  [
    /^(?<name>.{1,500}) was named on the machine (?<place>\S{1,255}), where no worker runs, and is (?:not|another file) on \S{1,255}\. Name it again there with --wait, or start `offerline worker` there\.$/u,
    'kept.pull.namedElsewhere',
  ],
  [/^(?<place>\S+) is not able to answer for now(?:; it said: (?<quoted>.+))?$/u, 'kept.pull.mailNow'],
  [/^(?<name>.{1,500}) ended after (?<bytes>\d+) of (?<size>\d+) bytes\.$/u, 'kept.pull.ended'],
  [
    /^(?<place>\S+) answered 403 to programs that call themselves "(?<name>.*)", not to the credentials: .+$/u,
    'kept.pull.program',
  ],
  [
    /^(?<place>\S+) (?:answered 404: there is no form at this address; correct source\.login\.url|has a form that leads nowhere; correct source\.login\.url, or ask the supplier)\.$/u,
    'kept.pull.noForm',
  ],
  [/^(?<place>\S+) answered .+: it does not know the scope; correct source\.auth\.scope\.$/u, 'kept.pull.scope'],
  [
    /^(?<place>\S+) (?:answered .+: there are no tokens at this address; correct source\.auth\.tokenUrl|sent no access token; correct source\.auth\.tokenUrl)\.$/u,
    'kept.pull.tokens',
  ],
  [
    /^(?<place>\S+) .+: it refused the client; correct clientId and clientSecret in source\.auth, or ask the supplier\.$/u,
    'kept.pull.client',
  ],
  [
    /^(?<place>\S+) answered .+: (?:the (?:client secret|directory has no such app|app registration|service account may not|key is none) ?.*|there is no such (?:directory|service account).*)\.$/u,
    'kept.pull.credentials',
  ],
  [/^(?<place>\S+) denies access[;,] .+\.$/u, 'kept.pull.status403'],
  [
    /^(?<place>\S+) is not there, or not shared with these credentials(?: \(there are: .*\))?; correct (?<names>source\..+)\.$/u,
    'kept.pull.cloudMissing',
  ],
  [/^(?<place>\S+) is a file; write its folder into (?<name>source\.\w+)\.$/u, 'kept.pull.cloudFile'],
  [
    /^(?<place>\S+) sent (?:no answer of (?:Microsoft Graph|Google Drive)|a listing that goes on at another host, which is not asked); correct source\.endpoint\.$/u,
    'kept.pull.cloudAnswer',
  ],
  [
    /^(?<place>\S+) (?:did not look at all of its drives, so that files may be missing; it will be asked again|gave an address for the file that was refused \(.+\); another one will be asked for)\.$/u,
    'kept.pull.mailNow',
  ],
  [
    /^(?<place>\S+) has .+ as a shortcut to another place, where it stays; set source\.after: keep\.$/u,
    'kept.pull.keep',
  ],
  [/^(?<place>\S+) answered .+ without a usable redirect address; ask the supplier\.$/u, 'kept.pull.redirect'],
  [/^(?<place>\S+) redirects (?:more than|to) .+\.$/u, 'kept.pull.redirect'],
  [/^(?<place>\S+) (?:redirects|leads) to .+, which is not on the public internet\. .+$/u, 'kept.pull.redirect'],
  [/^(?<place>\S+) would send the credentials to .+\.$/u, 'kept.pull.redirect'],
  [
    /^(?<place>\S+) (?:answered .+: it does not speak WebDAV here; .+|sent a listing that cannot be read; ask the supplier whether it speaks WebDAV)\.?$/u,
    'kept.pull.noWebdav',
  ],
  [/^(?<place>.{1,500}) cannot be changed by HTTP; set source\.after: keep\.$/u, 'kept.pull.keep'],
  [/^(?<place>\S+) cannot (?:delete|move) a single mail \(.+\)\. Set source\.after: keep\.$/u, 'kept.pull.keep'],
  [
    /^(?<place>\S+) left the mail in .+\. Grant the right to delete and to move mails, or set source\.after: keep\.$/u,
    'kept.pull.keep',
  ],
  [/^(?<place>.{1,500}) was taken, but (?:cannot be|is not) .+\. .+$/u, 'kept.pull.keep'],
  [/^(?<place>.{1,500}) was not (?:deleted|moved): the server answered .+$/u, 'kept.pull.keep'],
  [/^(?<place>\S+) did not copy .+; it will be tried again\.$/u, 'kept.pull.keep'],
  [/^(?<place>\S+) has .+ (?:files named|objects of this name).+\.$/u, 'kept.pull.keep'],
  [
    /^(?<place>.{1,500}) cannot be read: (?<quoted>.+)\. Grant read access to it, or move it away\.$/u,
    'kept.pull.unreadable',
  ],
  [
    /^(?<place>\S+) does not offer TLS on this port\. Set source\.security to implicit, with its port \(993\)(?:; it said: (?<quoted>.+))?\.$/u,
    'kept.pull.mailNoTls',
  ],
  [/^(?<place>\S+) failed at .+: it answered what is no IMAP, or not to what was asked\.$/u, 'kept.pull.noImap'],
  [
    /^(?<place>\S+) (?:has not the mail with .+ any more|no longer has the attachment .+ as it was listed|has numbered its mails anew)\.$/u,
    'kept.pull.mailGone',
  ],
  [
    /^(?<place>\S+) has more than (?<count>[\d,]+) mails in .+; name a folder of its own \(source\.folder\)\.$/u,
    'kept.pull.manyMails',
  ],
  [
    /^(?<place>\S+) knows none of the usual algorithms \((?<name>.+)\): ask the supplier to renew it, or set source\.oldAlgorithms: true\.$/u,
    'kept.pull.algorithms',
  ],
  [/^(?<place>\S+) lists a file in a way that is not understood: "(?<quoted>.*)"\. .+$/u, 'kept.pull.listing'],
  [
    /^(?<name>.{1,500}) of the mail “.*” in (?<place>\S+) is damaged: line \d+ of it is not base64\. Ask the supplier to send it again\.$/u,
    'kept.pull.base64',
  ],
  [
    /^(?<place>\S+) (?:sent .+ of more than .+, which is not read further; ask .+|sent a (?:listing|page) with .+, which is not read(?: further)?; ask the supplier|has more than .+ files \(source\.maxFiles\); .+|took longer than .+ min to send .+; ask the supplier why it is so slow|packed the file .+ times for the transfer, which is not undone; ask the supplier|sent the file with the content encoding ".*", which was not requested; ask the supplier)\.$/u,
    'kept.pull.tooMuch',
  ],
  [
    /^(?<place>\S+) sent a web page(?:, ".*",)? instead of a file; check source\.url and source\.auth of the feed\.$/u,
    'kept.pull.webPage',
  ],
  [
    /^(?<place>\S+) sent no (?:web page with links; remove source\.pattern if this is the file itself|list of objects; correct source\.endpoint and source\.style)\.$/u,
    'kept.pull.noLinks',
  ],
  [
    /^(?<place>\S+) shows its sign-in form again: it refused the credentials\. Correct source\.login, or ask the supplier\.$/u,
    'kept.pull.signInAgain',
  ],
  [
    /^(?<place>.{1,500}) was changed or replaced (?:meanwhile; it will be looked at again|since it was taken; it stays)\.$/u,
    'kept.pull.replaced',
  ],
  [/^(?<place>\S+) was not asked: (?<quoted>.+)\.$/u, 'kept.pull.notAsked'],
  [
    /^(?<name>.{1,500}) cannot be written \((?<quoted>.{1,300})\)\. Grant write access to these credentials, or remove source\.result\.$/u,
    'kept.pull.notWritten',
  ],
  [
    /^(?<name>.{1,500}) is a link that leads out of the folder\. Correct source\.result\.to, or set source\.followLinks\.$/u,
    'kept.pull.linkLeadsOut',
  ],
  [
    /^(?<place>\S+) refused (?:to search its mails by sender\.|the .+|.+ of the folder .+)$/u,
    'kept.pull.searchRefused',
  ],
];
