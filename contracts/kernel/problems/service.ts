import type { ProblemEntry } from './problem-entry.ts';

/** Problems with requests in general, and with the machine that answers them. */
export const serviceProblems = {
  INVALID_REQUEST: {
    status: 400,
    title: 'Something is not valid',
    meaning: 'A value is missing, or is not valid.',
    remedy: 'Check the highlighted fields.',
  },
  NOT_FOUND: {
    status: 404,
    title: 'Not found',
    meaning: 'There is nothing at this address. It may have been removed.',
    remedy: 'Check the address.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The address exists but does not take this method.',
    remedy: 'Use one of the methods in the Allow header.',
  },
  CONFLICT: {
    status: 409,
    title: 'Changed by someone else',
    meaning: 'It was changed after you opened it. Nothing was saved.',
    remedy: 'Reload it, then make your change again.',
  },
  RUN_AS_SERVICES: {
    status: 409,
    title: 'Run as Windows Services',
    meaning: 'The stack of this home runs as Windows Services; only these can be stopped and restarted.',
    remedy: 'Use castellan services start, stop or restart, as an administrator.',
  },
  SECRET_UNREADABLE: {
    status: 409,
    title: 'Secret not readable',
    meaning: 'A stored secret was encrypted with a key that is not configured, or it is damaged.',
    remedy: 'Put the old key into CONFIG_ENCRYPTION_KEY_PREVIOUS and restart, or enter the secret again.',
  },
  LOG_UNREADABLE: {
    status: 500,
    title: 'Log files not readable',
    meaning: 'The account that runs the API cannot read the log files or their folder.',
    remedy:
      'Give that account read access to the folder logs in the data folder. The log of the API names the file.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    title: 'Request timed out',
    meaning: 'The request did not arrive completely within 10 s for its headers and 30 s for all of it.',
    remedy: 'Send the request again over a faster connection.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    title: 'Too large',
    meaning: 'This is larger than Castellan accepts here.',
    remedy: 'Send less, or send it in parts.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    title: 'JSON expected',
    meaning: 'The body is not declared as application/json in UTF-8.',
    remedy: 'Send JSON with the header Content-Type: application/json.',
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    title: 'Headers too large',
    meaning: 'The address and headers of the request are larger than 64 KiB together.',
    remedy:
      'Send fewer headers; in a browser, delete the cookies of this site. On localhost, all programs share them: 127.0.0.1 has its own.',
  },
  RATE_LIMITED: {
    status: 429,
    title: 'Too many requests',
    meaning: 'Too many requests came from here in a short time.',
    remedy: 'Wait a moment, then try again.',
  },
  BACKUP_IMPOSSIBLE: {
    status: 409,
    title: 'Backups are not possible here',
    meaning: 'The API cannot read the files of the database from where it runs.',
    remedy: 'Back up the database on the machine and with the account that runs it.',
  },
  BACKUP_UNREADABLE: {
    status: 409,
    title: 'The backup cannot be read',
    meaning: 'The disk or the folder with the backup does not let it be read.',
    remedy: 'Choose another backup, or check the disk that holds them.',
  },
  BACKUP_DOWNLOADS_BUSY: {
    status: 409,
    title: 'Other backups are being downloaded',
    meaning: 'Two downloads of backups are in progress, and each one keeps a processor busy.',
    remedy: 'Wait until one has ended, or cancel it where it runs.',
  },
  TLS_REQUIRED: {
    status: 426,
    title: 'HTTPS required',
    meaning: 'The API has a certificate and accepts unencrypted requests from its own machine only.',
    remedy: 'Use an address that begins with https. Change every password or key that you sent unencrypted.',
  },
  INTERNAL: {
    status: 500,
    title: 'Something went wrong',
    meaning: 'An unexpected error occurred. The log has its cause under the request ID.',
    remedy: 'Try again. If it happens again, send the diagnostics together with the request ID.',
  },
  DATABASE_UNAVAILABLE: {
    status: 503,
    title: 'Database not available',
    meaning: 'The database does not respond.',
    remedy: 'It is being restarted. Try again in a moment.',
  },
  API_UNAVAILABLE: {
    status: 503,
    title: 'API not available',
    meaning: 'The supervisor runs, but the API does not respond.',
    remedy: 'The API is starting, or it failed: castellan status shows the reason.',
  },
  DISK_FULL: {
    status: 507,
    title: 'Disk full',
    meaning: 'A disk of this machine is full, so nothing can be saved. What was saved is safe.',
    remedy:
      'Free space on the disk that is named, or move the data folder to a larger one. Castellan then continues by itself.',
  },
  SHUTTING_DOWN: {
    status: 503,
    title: 'Shutting down',
    meaning: 'Castellan is shutting down and accepts no new work.',
    remedy: 'Try again in a moment.',
  },
} as const satisfies Record<string, ProblemEntry>;
