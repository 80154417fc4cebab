import { personName } from '#contracts/kernel/person-name.ts';

/** In the event logs: the actor on the command line, where no one has signed in. */
export const commandLine = 'command line';
/** The person who creates the first account. */
export const adminTokenHolder = 'PORTAL_ADMIN_TOKEN';

const taken = [commandLine, adminTokenHolder].map((name) => name.toLowerCase());

/** An account's name. It cannot be one of the names for actions without an account: the logs could not tell them apart. */
export const accountName = personName.refine(
  (name) => !taken.includes(name.toLowerCase().replace(/\p{Zs}+/gu, ' ')),
  { error: 'is what the event log calls those who have no account' },
);
