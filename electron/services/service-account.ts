import type { ServiceName } from '#runtime/windows/service-names.ts';

/** The account that Windows keeps for one service: it has no password, and no permissions beyond those of any user. */
export const serviceAccount = (service: ServiceName): string => `NT SERVICE\\${service}`;
