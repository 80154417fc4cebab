import * as z from 'zod';
import { desktopCall as call } from './desktop-call.ts';

/** What in a browser is the own password or second factor is here a dialog of the desktop itself. */
export const stepUpCalls = {
  /** Asks the person in a dialog that no page can answer; what is done in the next ten minutes counts as confirmed. */
  'stepUp.confirm': call(z.undefined(), z.object({ confirmed: z.boolean() })),
} as const;
