/** The only answers that count as a refusal on the client (status 403 with one of these codes). */
export const refusalCodes = ['REVOKED', 'SUSPENDED', 'EXPIRED', 'HWID_MISMATCH'] as const;
export type RefusalCode = (typeof refusalCodes)[number];
