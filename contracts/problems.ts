import * as z from 'zod';
import { problemDocumentWith } from './problem-document.ts';

/**
 * Every problem that Castellan reports over HTTP, in one place. `meaning` and `remedy` are the public
 * documentation (docs/problems.md is written from them); the `detail` of a single occurrence is for people.
 */
export interface ProblemEntry {
  readonly status: number;
  readonly title: string;
  readonly meaning: string;
  readonly remedy: string;
}

export const problems = {
  UNAUTHORIZED: {
    status: 403,
    title: 'License not accepted',
    meaning: 'The license key is unknown, the license is not active, or the token does not prove its owner.',
    remedy: 'Compare the key with the purchase mail; if it is right, ask the vendor.',
  },
  HWID_MISMATCH: {
    status: 403,
    title: 'License bound to another machine',
    meaning: 'The license is bound to a machine with another hardware id.',
    remedy: 'Transfer the license in the customer area: License, Transfer HWID.',
  },
  REVOKED: {
    status: 403,
    title: 'License revoked',
    meaning: 'The vendor has revoked this license for good, for example after a refund.',
    remedy: 'Buy a new license, or ask the vendor if this is a mistake.',
  },
  SUSPENDED: {
    status: 403,
    title: 'License suspended',
    meaning: 'The vendor has suspended this license for a time.',
    remedy: 'Ask the vendor; the installation heals by itself once the license is resumed.',
  },
  EXPIRED: {
    status: 403,
    title: 'License expired',
    meaning: 'The expiry date of the license has passed.',
    remedy: 'Renew the license; the installation heals by itself.',
  },
  LICENSE_REQUIRED: {
    status: 403,
    title: 'No license activated',
    meaning: 'No license has been activated on this machine yet.',
    remedy: 'Activate one in the license wizard, or with: castellan license activate',
  },
  LICENSE_GRACE_ENDED: {
    status: 403,
    title: 'License not confirmed in time',
    meaning: 'The portal could not be asked for longer than the days of grace allow.',
    remedy: 'Restore the connection to the portal, then: castellan license check',
  },
  LICENSE_WRONG_ENVIRONMENT: {
    status: 403,
    title: 'License from another environment',
    meaning: 'The token is signed by a key that LICENSE_SERVER_PUBLIC_KEY does not vouch for.',
    remedy: 'Use the LICENSE_SERVER_PUBLIC_KEY and LICENSE_SERVER_URL that came with this build.',
  },
  LICENSE_RECORD_UNUSABLE: {
    status: 403,
    title: 'License record not usable on this machine',
    meaning: 'license.json was copied from another machine, edited, or too much of the hardware has changed.',
    remedy: 'Activate the license again; if the hardware changed, transfer the HWID first.',
  },
  HWID_UNAVAILABLE: {
    status: 403,
    title: 'No usable hardware id',
    meaning: 'The machine shows no identifier that a license could be bound to.',
    remedy: 'On a virtual machine, give it a unique machine id or SMBIOS UUID, then start again.',
  },
  CLOCK_ROLLED_BACK: {
    status: 403,
    title: 'Clock set back',
    meaning: "This machine's clock is more than 10 minutes behind the time of its last license token.",
    remedy: 'Set the clock right; the license heals by itself.',
  },
  CLUSTER_LIMIT: {
    status: 403,
    title: 'Cluster limit reached',
    meaning: 'The license allows no more clusters.',
    remedy: 'Archive a cluster, or upgrade the license.',
  },
  FORBIDDEN: {
    status: 403,
    title: 'Not allowed',
    meaning: 'The caller is known but may not do this.',
    remedy: 'Ask an owner for the permission.',
  },
  PERSON_REQUIRED: {
    status: 403,
    title: 'For people only',
    meaning: 'API keys and the Discord bot make no accounts, roles, keys or resets, whatever they hold.',
    remedy: 'Sign in as a person, or use the desktop or the castellan command on the machine itself.',
  },
  STEP_UP_REQUIRED: {
    status: 403,
    title: 'Confirm that it is you',
    meaning:
      'This needs your password or a code of your second factor again, not longer than 10 minutes ago; on the desktop, a confirmation there.',
    remedy:
      'Do it again and confirm when you are asked. Scripts send the password or a code to POST /api/me/step-up with the same session first.',
  },
  UNAUTHENTICATED: {
    status: 401,
    title: 'Sign in first',
    meaning: 'The request carries no valid credential, or does not come from this machine itself.',
    remedy: 'Sign in, or ask from the machine itself without a proxy.',
  },
  CROSS_ORIGIN: {
    status: 403,
    title: 'Request from another site',
    meaning: 'A browser sent this request with its cookie, but not from a page of this installation.',
    remedy:
      'Use the panel itself; scripts send a bearer token. Changes by cookie need Origin (or Sec-Fetch-Site) of this host and Content-Type: application/json.',
  },
  WRONG_CREDENTIALS: {
    status: 401,
    title: 'Name, password or code not right',
    meaning: 'No enabled admin has this name and password, or the code is wrong, used or out of time.',
    remedy:
      'Try again; an owner, or castellan admin reset-password on the machine itself, can set a new one.',
  },
  SETUP_LINK_INVALID: {
    status: 403,
    title: 'Set-up link not valid',
    meaning: 'The link is not the newest one, or the first owner exists already.',
    remedy: 'Use the link in setup-link.txt in the home folder; if there is none, sign in.',
  },
  NAME_TAKEN: {
    status: 409,
    title: 'Name taken',
    meaning: 'Another one has this name, or one that looks the same; upper and lower case count as the same.',
    remedy: 'Choose another name.',
  },
  LAST_OWNER: {
    status: 409,
    title: 'The last owner',
    meaning: 'The change would leave no owner who can sign in.',
    remedy: 'Make another admin an owner first.',
  },
  ROLE_IN_USE: {
    status: 409,
    title: 'Role in use',
    meaning: 'Admins hold this role, everywhere or for a server.',
    remedy: 'Give them another role first.',
  },
  TRANSFER_REFUSED: {
    status: 409,
    title: 'License cannot be transferred now',
    meaning:
      'The license is not active or not bound, names this machine already, or its free transfer of the last 30 days is used up.',
    remedy:
      'The detail says which it is and when the next transfer is free; the vendor can grant one before.',
  },
  TOTP_STATE: {
    status: 409,
    title: 'Two-step sign-in is not in that state',
    meaning: 'It is on already, not on, or no enrolment was begun.',
    remedy: 'Look at the state under GET /api/me, and begin anew.',
  },
  SERVER_ARCHIVED: {
    status: 409,
    title: 'Archived',
    meaning: 'The server, or its cluster, is in the archive: it can be read, not used or changed.',
    remedy: 'Restore it from the archive first.',
  },
  CLUSTER_NOT_EMPTY: {
    status: 409,
    title: 'Cluster not empty',
    meaning: 'The cluster still holds servers that are in use.',
    remedy: 'Archive them or move them to another cluster first.',
  },
  NO_SUCH_COMMAND: {
    status: 409,
    title: 'The game cannot do this',
    meaning: 'The game of this server has no such command, or not for this player or these values.',
    remedy: 'The detail says what is missing, such as a Steam id.',
  },
  INSUFFICIENT_POINTS: {
    status: 409,
    title: 'Not enough points',
    meaning: "The member's wallet holds fewer points than this takes; nothing was changed.",
    remedy: 'Grant points first, or buy less.',
  },
  PRODUCT_NOT_FOR_SALE: {
    status: 409,
    title: 'Not for sale',
    meaning:
      'The product is disabled, archived, out of its sale window, stopped by a failed delivery, or holds an item that no one has confirmed yet.',
    remedy: 'The detail says which it is; change or release the product in the store.',
  },
  LIMIT_REACHED: {
    status: 409,
    title: 'Limit reached',
    meaning: 'The receiver has bought or been given as much of this product as its limits allow for now.',
    remedy: 'The detail says which limit, and when it is free again.',
  },
  OUT_OF_STOCK: {
    status: 409,
    title: 'Out of stock',
    meaning: 'Fewer pieces of this product are left than were asked for; nothing was charged.',
    remedy: 'Ask for fewer, or raise the stock in the store.',
  },
  PRICE_CHANGED: {
    status: 409,
    title: 'Price changed',
    meaning: 'The order costs another sum now than the caller expected; nothing was charged.',
    remedy: 'Look at the preview again, and order at the new price.',
  },
  MEMBER_GONE: {
    status: 409,
    title: 'Member merged or erased',
    meaning: 'The member was merged into another one, or erased, meanwhile; nothing was changed.',
    remedy: 'Read the member again: a merged one leads to the one that is left.',
  },
  MERGE_REFUSED: {
    status: 409,
    title: 'Cannot be merged',
    meaning:
      'The two are the same member, both have a Discord account, or the merge cannot be undone any more.',
    remedy: 'The detail says which it is.',
  },
  LINK_CODE_INVALID: {
    status: 409,
    title: 'Code not valid',
    meaning: 'The code is wrong, used, or older than ten minutes.',
    remedy: 'Ask for a new code and type it within ten minutes.',
  },
  PRODUCT_INVALID: {
    status: 422,
    title: 'Product not possible',
    meaning: 'A line of the product cannot be given by its game, or its servers are not of that game.',
    remedy: 'Mend the line that the detail names.',
  },
  PICTURE_INVALID: {
    status: 422,
    title: 'Not a picture that can be used',
    meaning: 'The file is no PNG, JPEG or WebP, is damaged, too large, or has too many pixels.',
    remedy: 'Use a PNG, JPEG or WebP of at most 512 KiB and 2,048 pixels a side.',
  },
  IDEMPOTENCY_MISMATCH: {
    status: 409,
    title: 'Key used for another order',
    meaning: 'This caller has used the Idempotency-Key for an order with another body.',
    remedy: 'Use a new key for each order; send the same body with the same key.',
  },
  IDEMPOTENCY_KEY_INVALID: {
    status: 400,
    title: 'Idempotency-Key not usable',
    meaning:
      'The header is empty, longer than 200 characters, or has characters that are not printable ASCII.',
    remedy: 'Send a random key, such as a UUID.',
  },
  DELIVERY_STATE: {
    status: 409,
    title: 'Not in that state',
    meaning: 'The delivery has ended, may have been sent already, or was refunded; nothing was changed.',
    remedy: 'Read the delivery again; what no one can tell the end of is decided at the desk.',
  },
  JOB_STATE: {
    status: 409,
    title: 'Job not in that state',
    meaning:
      'Only jobs that wait or have failed can be cancelled or tried again, and no refunded delivery is tried again.',
    remedy: 'Read the job again.',
  },
  AGENT_PROOF_WRONG: {
    status: 401,
    title: 'Game Agent not proven',
    meaning: 'The proof was not made with the shared secret of this installation, or not by the key shown.',
    remedy: 'Put the GAME_AGENT_SECRET of the .env file into the config.json of the agent as `secret`.',
  },
  AGENT_NONCE_INVALID: {
    status: 401,
    title: 'Nonce not valid',
    meaning: 'The nonce is too old, was used before, or was issued before the API restarted.',
    remedy: 'Ask for a new one at POST /api/game-agent/challenge and prove again.',
  },
  AGENT_SERVER_UNKNOWN: {
    status: 404,
    title: 'No such game server',
    meaning: 'The agent names a server that does not exist or is in the archive.',
    remedy: 'Copy the server id from the panel into the config.json of the agent as `serverId`.',
  },
  AGENT_GAME_MISMATCH: {
    status: 409,
    title: 'Another game',
    meaning: 'The agent runs beside another game than the one that the panel has for this server.',
    remedy: 'Compare `game` in the config.json of the agent with the server in the panel.',
  },
  AGENT_KEY_MISMATCH: {
    status: 409,
    title: 'Another agent is known for this server',
    meaning: 'The server has an agent with another key already: a new machine, or a copy that poses as it.',
    remedy: 'If this agent is to take its place, choose "replace agent" in the panel.',
  },
  AGENT_SUPERSEDED: {
    status: 409,
    title: 'Another agent took over',
    meaning: 'A newer connection with the same key has taken the place of this one.',
    remedy: 'Stop one of the two: the same configuration runs twice.',
  },
  AGENT_TLS_REQUIRED: {
    status: 403,
    title: 'TLS required for this agent',
    meaning: 'The agent comes from another machine without TLS, which the settings do not allow.',
    remedy: 'Give the API a certificate, or allow plain agents under Settings, Game Agents.',
  },
  AGENT_THROTTLED: {
    status: 429,
    title: 'Too many wrong proofs',
    meaning: 'This address has shown wrong proofs too often. Right ones are still taken.',
    remedy: 'Mend the secret in the config.json of the agent, and wait as long as Retry-After says.',
  },
  AGENT_VERSION_UNSUPPORTED: {
    status: 400,
    title: 'Protocol version not known',
    meaning: 'The agent speaks a version of the protocol that this API does not.',
    remedy: 'Use the agent that came with this version of Castellan.',
  },
  AGENT_FRAME_INVALID: {
    status: 400,
    title: 'Frame not understood',
    meaning: 'A frame is no JSON, too large, or not of a documented shape.',
    remedy: 'Compare it with the protocol; the detail names the field.',
  },
  WEBHOOK_SIGNATURE_INVALID: {
    status: 401,
    title: 'Webhook not signed by the gateway',
    meaning:
      'The signature header is missing, made with another secret, for another body, or more than 5 minutes from our clock.',
    remedy:
      "Compare the signing secret at the gateway with PURCHASE_WEBHOOK_SECRET_… of the portal, and both machines' clocks.",
  },
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

export type ProblemCode = keyof typeof problems;
export const problemCodes = Object.keys(problems) as [ProblemCode, ...ProblemCode[]];

export const problemContentType = 'application/problem+json';

/** RFC 9457. `code` is absent where the interface document gives none (400 and 429 of the portal). */
export const problemDocument = problemDocumentWith(z.enum(problemCodes)).meta({
  id: 'Problem',
  description: 'RFC 9457 problem document',
});
export type ProblemDocument = z.infer<typeof problemDocument>;
