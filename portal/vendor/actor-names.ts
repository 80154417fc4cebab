import { personName } from '#contracts/person-name.ts';

/** In the logs of events: whoever works where nobody has signed in. */
export const commandLine = 'command line';
/** Whoever makes the first account. */
export const adminTokenHolder = 'PORTAL_ADMIN_TOKEN';

const taken = [commandLine, adminTokenHolder].map((name) => name.toLowerCase());

/** Of an account. None is called like those who act without one: the logs could not tell them apart. */
export const accountName = personName.refine(
  (name) => !taken.includes(name.toLowerCase().replace(/\p{Zs}+/gu, ' ')),
  { error: 'is what the event log calls those who have no account' },
);
