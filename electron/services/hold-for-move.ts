import { stackControl } from '#contracts/operations/stack.ts';
import { callSupervisor } from '../control/control-client.ts';
import { HomeHeldError, holdHome } from '../control/held-home.ts';
import { readHolderRecord } from '../control/holder-record.ts';
import type { MoveStep } from './move-plan.ts';
import { servicesHolder } from './services-holder.ts';

/** Keeps app mode from starting on the data folder while its services are made. */
export interface MoveHold extends AsyncDisposable {
  /** Hands the data folder over to the services, before the first of them looks for it. */
  before(step: MoveStep): Promise<void>;
}

const needsHome: ReadonlySet<MoveStep['kind']> = new Set(['start', 'await-health']);

/** Services that already hold the data folder keep it. @throws {HomeHeldError} when another program runs the stack */
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
