import type { ProblemEntry } from './problem-entry.ts';

/** Of licenses, and of what the portal is told of purchases. */
export const licenseProblems = {
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
  TRANSFER_REFUSED: {
    status: 409,
    title: 'License cannot be transferred now',
    meaning:
      'The license is not active or not bound, names this machine already, or its free transfer of the last 30 days is used up.',
    remedy:
      'The detail says which it is and when the next transfer is free; the vendor can grant one before.',
  },
  WEBHOOK_SIGNATURE_INVALID: {
    status: 401,
    title: 'Webhook signature not valid',
    meaning:
      'The signature header is missing, made with another secret, for another body, or more than 5 minutes from our clock; or there is no such shop.',
    remedy:
      "Compare the signing secret at the gateway with PURCHASE_WEBHOOK_SECRET_… of the portal; for an outside shop, add its secret again under Outside shops → Secrets. Check both machines' clocks.",
  },
} as const satisfies Record<string, ProblemEntry>;
