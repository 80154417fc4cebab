import type { Admin } from '#contracts/admins.ts';

/** How many admins hold a role, everywhere or for some server; null while unknown. */
export const holdersOf = (roleId: string, admins: readonly Admin[] | undefined): number | null =>
  admins?.filter(
    ({ role, serverGrants }) => role === roleId || serverGrants.some((grant) => grant.role === roleId),
  ).length ?? null;
