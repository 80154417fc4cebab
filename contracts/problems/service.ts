import type { ProblemEntry } from './problem-entry.ts';

/** Of requests as such, and of the machine that answers them. */
export const serviceProblems = {
  INVALID_REQUEST: {
    status: 400,
    title: 'Request not understood',
    meaning: 'The path, query or body does not have the documented shape.',
    remedy: 'Mend the fields that `errors` names.',
  },
  NOT_FOUND: {
    status: 404,
    title: 'Not found',
    meaning: 'There is nothing under this address.',
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
    title: 'Changed by somebody else',
    meaning: 'It was changed after the version that this change was made from; nothing was saved.',
    remedy: 'Read it again, and make the change anew.',
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
    meaning: 'A stored secret is sealed with a key that is not configured, or its ciphertext is damaged.',
    remedy: 'Put the old key into CONFIG_ENCRYPTION_KEY_PREVIOUS and restart, or enter the secret anew.',
  },
  LOG_UNREADABLE: {
    status: 500,
    title: 'Log files not readable',
    meaning: 'The account that runs the API cannot read the log files, or the folder in which they lie.',
    remedy:
      'Give that account the right to read the folder logs in the home folder, and what is in it; the log of the API names the file.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    title: 'Request not finished in time',
    meaning: 'A request was begun, and its rest did not arrive: 10 s for the headers, 30 s for all of it.',
    remedy: 'Send the request again over a faster connection.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    title: 'Request too large',
    meaning: 'The body is larger than this address takes.',
    remedy: 'Send less.',
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
    meaning: 'The address and headers of the request are larger than 16 KiB together.',
    remedy: 'Send fewer headers; in a browser, delete the cookies of this site.',
  },
  RATE_LIMITED: {
    status: 429,
    title: 'Too many requests',
    meaning: 'This address has asked too often.',
    remedy: 'Wait as long as Retry-After says.',
  },
  BACKUP_IMPOSSIBLE: {
    status: 409,
    title: 'No backup possible here',
    meaning: 'The files of the database cannot be read from where the API runs.',
    remedy: 'Back the database up on the machine and under the account where it runs.',
  },
  TLS_REQUIRED: {
    status: 426,
    title: 'TLS required',
    meaning: 'The API has a certificate, and plain HTTP is answered to its own machine alone.',
    remedy: 'Ask by https. Change any password or key that was sent in plain.',
  },
  INTERNAL: {
    status: 500,
    title: 'Something went wrong',
    meaning: 'An unexpected failure; its cause is in the log under the request id.',
    remedy: 'Try again; if it stays, send the diagnostics with the request id.',
  },
  DATABASE_UNAVAILABLE: {
    status: 503,
    title: 'Database away',
    meaning: 'The database does not answer at the moment.',
    remedy: 'It is being restarted; try again shortly.',
  },
  API_UNAVAILABLE: {
    status: 503,
    title: 'API away',
    meaning: 'The supervisor runs, but the API behind it does not answer.',
    remedy: 'See castellan status; it is being started, or it failed for the reason shown there.',
  },
  DISK_FULL: {
    status: 507,
    title: 'Disk full',
    meaning: 'A disk of this machine has no room left, so nothing can be saved. What was saved is safe.',
    remedy:
      'Make room on the disk that the detail names, or move the data folder to a larger one; it heals by itself.',
  },
  SHUTTING_DOWN: {
    status: 503,
    title: 'Shutting down',
    meaning: 'The process is stopping and takes no new work.',
    remedy: 'Try again shortly.',
  },
} as const satisfies Record<string, ProblemEntry>;
