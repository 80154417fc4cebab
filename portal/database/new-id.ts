import { createId } from '@paralleldrive/cuid2';

/** A cuid, the id of most rows: `c` and 24 lower-case letters or digits. */
export const newId = (): string => `c${createId()}`;
