import { stackControl } from '#contracts/stack.ts';
import { callSupervisor } from '../control/control-client.ts';
import { HomeHeldError, holdHome } from '../control/held-home.ts';
import { readHolderRecord } from '../control/holder-record.ts';
import type { MoveStep } from './move-plan.ts';
import { servicesHolder } from './services-holder.ts';

/** Nobody starts app mode on the home while its services are made. */
export interface MoveHold extends AsyncDisposable {
  /** Gives the home over to the services, before the first of them looks for it. */
  before(step: MoveStep): Promise<void>;
}

const needsHome: ReadonlySet<MoveStep['kind']> = new Set(['start', 'await-health']);

/** Services that hold the home already keep it. @throws {HomeHeldError} when another program runs the stack */
export const holdForMove = async (home: string): Promise<MoveHold> => {
  const holder = await callSupervisor(home, stackControl.status);
  if (holder && holder.heldBy !== servicesHolder) throw new HomeHeldError(home, await readHolderRecord(home));
  const held = new AsyncDisposableStack();
  if (!holder) held.use(await holdHome(home, 'castellan services install'));
  return {
    async before({ kind }) {
      if (needsHome.has(kind)) await held.disposeAsync();
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
};
