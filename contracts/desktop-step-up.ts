import * as z from 'zod';
import { desktopCall as call } from './desktop-call.ts';

/** In place of the password or second factor in a browser, the desktop shows a dialog of its own. */
export const stepUpCalls = {
  /** Asks the person in a dialog that no page can answer; actions in the next ten minutes count as confirmed. */
  'stepUp.confirm': call(z.undefined(), z.object({ confirmed: z.boolean() })),
} as const;
