import type { ProblemEntry } from './problem-entry.ts';

/** Problems with licenses, and with purchases reported to the portal. */
export const licenseProblems = {
  UNAUTHORIZED: {
    status: 403,
    title: 'License not accepted',
    meaning: 'The license key is unknown, the license is not active, or the token does not prove its owner.',
    remedy: 'Compare the key with your purchase e-mail. If it is right, contact the vendor.',
  },
  HWID_MISMATCH: {
    status: 403,
    title: 'License bound to another machine',
    meaning: 'The license is bound to a machine with another hardware ID (HWID).',
    remedy:
      'Transfer the license in the customer area: License, Transfer HWID. In a container, first mount the machine ID of its host (-v /etc/machine-id:/etc/machine-id:ro): without it each rebuild is a new machine and would use up your free transfer.',
  },
  REVOKED: {
    status: 403,
    title: 'License revoked',
    meaning: 'The vendor has permanently revoked this license, for example after a refund.',
    remedy: 'Buy a new license, or contact the vendor if this is a mistake.',
  },
  SUSPENDED: {
    status: 403,
    title: 'License suspended',
    meaning: 'The vendor has temporarily suspended this license.',
    remedy: 'Contact the vendor. Castellan continues automatically once the license is active again.',
  },
  EXPIRED: {
    status: 403,
    title: 'License expired',
    meaning: 'The expiry date of the license has passed.',
    remedy: 'Renew the license in the customer area. Castellan then continues automatically.',
  },
  LICENSE_REQUIRED: {
    status: 403,
    title: 'No license activated',
    meaning: 'No license has been activated on this machine yet.',
    remedy: 'Activate one in the license wizard, or run: castellan license activate',
  },
  LICENSE_GRACE_ENDED: {
    status: 403,
    title: 'Grace period over',
    meaning: 'The license portal could not be reached during the whole grace period.',
    remedy: 'Restore the connection to the portal, then run: castellan license check',
  },
  LICENSE_WRONG_ENVIRONMENT: {
    status: 403,
    title: 'License from another portal',
    meaning: 'The license was signed by a key that LICENSE_SERVER_PUBLIC_KEY does not confirm.',
    remedy: 'Use the LICENSE_SERVER_PUBLIC_KEY and LICENSE_SERVER_URL that came with this build.',
  },
  LICENSE_RECORD_UNUSABLE: {
    status: 403,
    title: 'License not usable on this machine',
    meaning: 'license.json was copied from another machine or edited, or the hardware changed too much.',
    remedy: 'Activate the license again. If the hardware changed, transfer it first.',
  },
  HWID_UNAVAILABLE: {
    status: 403,
    title: 'No usable hardware ID',
    meaning: 'This machine has no hardware ID (HWID) that a license can be bound to.',
    remedy:
      'Give a virtual machine a unique machine ID or SMBIOS UUID, then start again. In a container, mount the one of its host, since that of an image is the same everywhere: -v /etc/machine-id:/etc/machine-id:ro',
  },
  CLOCK_ROLLED_BACK: {
    status: 403,
    title: 'Clock is behind',
    meaning: 'This machine’s clock is more than 10 minutes behind the last license check.',
    remedy: 'Set the clock. The license then becomes active again.',
  },
  CLOCK_AHEAD: {
    status: 403,
    title: 'Clock seems to be ahead',
    meaning: 'This computer’s clock seems to be ahead, so the license looks older than it is.',
    remedy:
      'Set the clock. If it is right, restore the connection to the portal, then run: castellan license check',
  },
  CLUSTER_LIMIT: {
    status: 403,
    title: 'Cluster limit reached',
    meaning: 'Your plan does not include more clusters.',
    remedy: 'Archive a cluster, or upgrade your plan.',
  },
  TRANSFER_REFUSED: {
    status: 409,
    title: 'Transfer not possible now',
    meaning:
      'The license is not active, is not bound to a machine, is already bound to this one, or its free transfer of the last 30 days was used.',
    remedy: 'Wait until the next free transfer, or ask the vendor to grant one.',
  },
  WEBHOOK_SIGNATURE_INVALID: {
    status: 401,
    title: 'Webhook signature not valid',
    meaning:
      'The signature is missing, uses another secret or another body, or is more than 5 minutes off our clock; or the shop does not exist.',
    remedy:
      "Compare the signing secret at the gateway with PURCHASE_WEBHOOK_SECRET_… of the portal; for an external shop, add its secret again under External shops → Secrets. Check both machines' clocks.",
  },
} as const satisfies Record<string, ProblemEntry>;
