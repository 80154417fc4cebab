type Value = string | number;

/**
 * How the components of the stack are doing: sentences of `reasons`, which gives each its code. A text may contain
 * several of them in a row.
 */
export const healthReasons = {
  'bot-signed-in': (name: Value) => `Signed in as ${name}.`,
  'bot-no-guild': 'No Discord server is chosen.',
  'bot-on-guild': (guild: Value) => `It works on the Discord server ${guild}.`,
  'bot-not-on-guild': (guild: Value) =>
    `It is not on the Discord server ${guild}. Invite it with the link on the panel's page Discord, or correct the server ID.`,
  'bot-guild-unavailable': (guild: Value) =>
    `Discord has trouble with the Discord server ${guild}. The bot continues when it is available again.`,
  'bot-signing-in': 'Signing in to Discord.',
  'bot-reconnecting': 'Reconnecting to Discord.',
  'bot-throttled': (seconds: Value) => `Discord asks the bot to wait ${seconds} s.`,
  'bot-next-attempt': (seconds: Value) => `Next attempt in ${seconds} s.`,
  'bot-waits-for-settings': 'Waiting for the API to send the settings.',
  'bot-token-unreadable': 'The saved token cannot be decrypted. Enter it again in the panel.',
  'bot-no-token': "No token is set. Enter one on the panel's page Discord.",
  'bot-token-misspelt': 'The token holds characters that no token has. Enter it again in the panel.',
  'bot-token-refused':
    "Discord refuses the token. Make a new one in the Discord developer portal, and enter it on the panel's page Discord.",
  'bot-shard-refused': 'Discord refuses the shard of this bot.',
  'bot-too-many-guilds': 'This bot is on too many Discord servers for one connection.',
  'bot-version-refused': 'Discord no longer accepts the version that this bot speaks. Update Castellan.',
  'bot-intents-unknown': 'Discord does not know the intents that this bot asks for. Update Castellan.',
  'bot-intents-off':
    "The bot lacks privileged intents. Turn on SERVER MEMBERS INTENT and MESSAGE CONTENT INTENT for the application in the Discord developer portal, then try again on the panel's page Discord.",
  'bot-sign-ins-used-up': 'Discord allows no more sign-ins for now.',
  'bot-not-reported': 'The bot has not reported yet.',
  'bot-silent': (seconds: Value) => `The bot has not reported for ${seconds} s.`,
  'bot-starting': 'The bot is starting.',
  'bot-stopped': 'The bot has been stopped.',
  'bot-frozen': 'The bot does not answer. Castellan restarts it by itself.',
  'bot-crashed': (why: Value) => `The bot has crashed and is started again: ${why}`,
  'bot-given-up': (why: Value) => `The bot does not start: ${why}`,
  'supervisor-silent': (seconds: Value) => `Nothing has been heard of the bot's process for ${seconds} s.`,
  'bot-requests-wait': (count: Value, seconds: Value) =>
    `Requests that wait for Discord: ${count}. The oldest has waited ${seconds} s.`,
  'bot-channels-fail': (count: Value) => `Channels in which messages fail: ${count}.`,
  'bot-last-error': (error: Value) => `Last error: ${error}`,
  'discord-unreachable': 'Discord cannot be reached.',
  'discord-closes': (code: Value) => `Discord closes the connection again and again (code ${code}).`,
  'discord-strange': (status: Value) =>
    `What answered is not Discord, or Discord is in trouble (HTTP ${status}).`,

  'license-unconfirmed': 'The portal has not confirmed the license.',
  'license-grace-hours': (hours: Value) => `Without it, Castellan refuses all requests in ${hours} h.`,
  'license-grace-days': (days: Value) => `Without it, Castellan refuses all requests in ${days} days.`,
  'license-ends-hours': (hours: Value) => `The license ends in ${hours} h. Renew it in the customer area.`,

  'certificate-ends-hours': (hours: Value) =>
    `The TLS certificate expires in ${hours} h, and browsers and agents then refuse the connection. Renew it now.`,
  'certificate-ends-days': (days: Value) =>
    `The TLS certificate expires in ${days} days. Renew it; the new files are used without a restart.`,
  'certificate-ended': (day: Value) =>
    `The TLS certificate expired on ${day}, so browsers and agents refuse the connection. Renew it; the new files are used without a restart.`,
  'certificate-ahead': (day: Value) =>
    `The TLS certificate is not valid before ${day}. Wait until then, use another one, or correct this computer's clock.`,
  'certificate-name': (host: Value) =>
    `The TLS certificate is not valid for ${host}, the public address. Get one for that name, or correct the public address.`,
  'certificate-unusable': (why: Value) => `The files of the TLS certificate cannot be used: ${why}`,

  'needs-database': 'It needs the database.',
  'no-worker': 'No worker takes jobs.',
  'no-servers-yet': 'There are no game servers yet.',
  // Before the one without a number, which its text would match, too.
  'agents-silent-more': (names: Value, more: Value) => `No word from: ${names} and ${more} more.`,
  'agents-silent': (names: Value) => `No word from: ${names}.`,
  'secrets-unreadable': (count: Value) =>
    `Secrets that cannot be read: ${count}. Put the old key into CONFIG_ENCRYPTION_KEY_PREVIOUS.`,
  'secrets-on-old-keys': (count: Value) =>
    `Secrets that are still encrypted with an older key: ${count}. Castellan keeps that key until they are saved again or re-encrypted.`,
  'key-record-damaged': (copy: Value) =>
    `The file encryption-keys.json was damaged. Castellan wrote it again with the keys that it could read, and keeps the damaged one as ${copy}.`,
  'key-record-unusable': (why: Value) =>
    `The file encryption-keys.json cannot be used. Do not replace CONFIG_ENCRYPTION_KEY before this is corrected: ${why}`,
  'secrets-damaged': (count: Value) => `Damaged secrets: ${count}. Enter them again.`,
  'ends-not-followed': 'Ends are not followed yet.',
  'ends-silent': (seconds: Value) => `Ends were not followed for ${seconds} s.`,
  'ends-overdue': (count: Value) => `Overdue ends and renewals: ${count}.`,
  'ends-for-person': (count: Value) => `Ends that wait for a person: ${count}.`,
  'deliveries-paused': 'Deliveries are paused.',
  'bans-not-brought': 'Bans are not sent to the servers yet.',
  'bans-silent': (seconds: Value) => `No bans were sent to the servers for ${seconds} s.`,
  'bans-overdue': (count: Value) => `Bans and unbans that are not on their servers yet: ${count}.`,
  'oldest-hours': (hours: Value) => `The oldest has waited ${hours} h.`,
  'oldest-days': (days: Value) => `The oldest has waited ${days} days.`,
  'on-servers': (names: Value) => `Servers: ${names}.`,
  'refused-by-game': (count: Value) => `Refused by the game: ${count}.`,

  'disk-left': (path: Value, left: Value) => `The disk of ${path} has ${left} left.`,
  'disk-low':
    'Make room on that disk, or move the data folder to a larger one, before the database has to stop.',
  'disk-short':
    'Make room on that disk now. The database stops when it is full, and no more backups are taken.',
  'disk-unlockable': (path: Value) =>
    `The data folder ${path} cannot be locked, so nothing keeps a second stack from using it at the same time. Move it to a local disk; on Linux the program flock is needed. The next release will not start there.`,
  'folder-foreign': (account: Value, path: Value, command: Value) =>
    `The account ${account} may change ${path}, and with it what Castellan does. If that is not intended, run: ${command}`,
  'folder-open': (path: Value, command: Value) =>
    `Other accounts may change ${path}, and with it what Castellan does. If that is not intended, run: ${command}`,
  'disk-full': 'Nothing can be saved until there is room on that disk. Castellan then continues by itself.',
  'disk-needs': (what: Value, needed: Value, path: Value, free: Value) =>
    `${what} needs ${needed} on the disk of ${path}, and ${free} are free.`,
  'disk-make-room': 'Make room there, or choose another disk.',
  'a-backup': 'A backup',
  'the-copy': 'The copy',

  'backup-none': 'There is no backup yet.',
  'backup-fresh': 'The newest backup is less than an hour old.',
  'backup-hour': 'The newest backup is 1 hour old.',
  'backup-hours': (hours: Value) => `The newest backup is ${hours} hours old.`,
  'backup-days': (days: Value) => `The newest backup is ${days} days old.`,
  'backup-failed': (why: Value) => `The last backup failed: ${why}`,
  'backup-no-fit': (folder: Value) =>
    `The backup did not fit: the disk of ${folder} is full. Make room there.`,
  'backup-under-way': 'Another backup is being taken. Wait until it is done.',
  'backup-silent': (seconds: Value) =>
    `Postgres has not answered for ${seconds} s, so the backup was given up.`,
  'folder-silent': (folder: Value) => `The folder ${folder} does not answer. Is its network drive connected?`,
  'backup-stalled': (folder: Value, seconds: Value) =>
    `The folder ${folder} stopped answering: for ${seconds} s nothing could be read or written there. Check its disk or network drive.`,
  'backup-overtaken': (reused: Value, needed: Value) =>
    `The backup is useless: while it was taken, so much was written that Postgres reused ${reused} of ${needed} log segments. Take it again at a quieter time.`,
  'backup-out-of-reach':
    'The files of this database cannot be read from here. Back it up on the machine where it runs.',
  'backup-not-held': (why: Value) => `The backup did not hold when it was tried: ${why}`,
  'backup-ahead': (name: Value) =>
    `The backup ${name} is dated later than now, so it does not count. Set this computer's clock; if the clock is right, delete that folder once there is a newer backup.`,
  'backups-ahead': (count: Value, name: Value) =>
    `${count} backups, such as ${name}, are dated later than now, so they do not count. Set this computer's clock; if the clock is right, delete those folders once there is a newer backup.`,
  'backup-damaged': (name: Value, file: Value) =>
    `The backup ${name} is damaged: its file ${file} does not match the list of checksums.`,

  'database-damaged': (why: Value) => `The files of the database are damaged: ${why}`,
  'database-damaged-advice':
    'No backup is deleted until a new one succeeds. Check the disk, then restore the newest good backup.',
  'damaged-page': (page: Value, file: Value) => `Page ${page} of ${file} does not match its checksum.`,
  'damaged-end': (file: Value) => `The last page of ${file} is cut off.`,
  'damaged-commit-log': (file: Value, transaction: Value) =>
    `The commit log and ${file} contradict each other on transaction ${transaction}.`,
  'damaged-sector': (path: Value) => `The disk cannot read ${path}.`,
  'damaged-relation': (database: Value, relation: Value, why: Value) =>
    `The database ${database} cannot be read, at ${relation}: ${why}`,
  'damaged-table-end': (table: Value, database: Value, rows: Value, listed: Value) =>
    `The file of ${table} in the database ${database} ends too early, after ${rows} of the ${listed} rows that its index lists.`,

  'database-half': (folder: Value) =>
    `The database in ${folder} is not whole: it was never completed, or files of it are missing.`,
  'database-gone': (folder: Value, traces: Value) =>
    `There is no database in ${folder}, but there was one: it left ${traces}.`,
  'database-connect': 'If it is on another disk, connect that disk, then start Castellan again.',
  'database-restore': 'Restore a backup if the database is lost.',
  'database-anew': (paths: Value) =>
    `To begin with an empty database instead: first quit Castellan, then move ${paths} to another folder, for example to the desktop. At its next start, Castellan makes a new one.`,
  'folder-closed': (account: Value, folder: Value) => `The account ${account} has no access to ${folder}.`,
  'folder-closed-advice':
    'If Castellan runs there for another account of this computer, sign in with that one. Otherwise ask its owner or an administrator for access, then try again.',
  'folder-closed-command': (command: Value) =>
    `The administrator opens the Start menu, types cmd, chooses Run as administrator, and enters: ${command}`,
  'database-unreached': 'The database has not been reached yet.',
  'database-unasked': 'The database has not been asked yet.',
  'database-preparing': 'The database is being prepared.',
  'database-unprepared': (why: Value) => `The database could not be prepared: ${why}`,
  'database-newer': (migration: Value) =>
    `The database is of a newer version of Castellan (${migration}). This version works on it; update when you can.`,
  'clock-jumped': (days: Value) =>
    `The clock of this computer went forward by ${days} days. If the date is wrong, correct it. Until Castellan trusts the new date, it deletes nothing and ends no purchase or ban because of it.`,
  'database-unreachable': 'The database cannot be reached.',
  'database-cut': 'The connection to the database was cut.',
  'database-login': 'The database refuses the role or the password in DATABASE_URL.',
  'database-role': 'The database refuses the role in DATABASE_URL.',
  'database-missing': 'The database that DATABASE_URL names does not exist.',
  'database-disk-full':
    'The disk of the database is full. Make room on it. Castellan then continues by itself.',
  'database-connections': 'The database has no connection left.',
  'database-stopped': 'The database was stopped.',
  'database-starting': 'The database is starting.',
  'database-recovering':
    'The database is recovering, as after a power cut or a restore. This may take minutes; leave Castellan running.',
  'database-read-only': 'The database can only be read: nothing can be saved.',
  'database-silent': 'The database does not answer.',
  'database-late': 'The database does not answer in time.',
  'queues-not-running': 'The queues do not run yet.',
  'disk-is-full': 'The disk of the database is full.',
  'database-busy': (count: Value) => `All ${count} database connections are in use.`,
  exposed: (host: Value) =>
    `Passwords cross the network unprotected: API_HOST ${host} is open without TLS. Set TLS_CERT_FILE and TLS_KEY_FILE, or put a proxy with TLS on this machine and set API_HOST back to 127.0.0.1.`,
} as const;
