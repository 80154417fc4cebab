import { eventually } from '#harness/eventually.ts';
import { pickFrom } from '../bench/harness/seeded-random.ts';
import type { FaultApi } from './fault-api.ts';
import type { FaultStack } from './fault-stack.ts';

const busyDeadlineMs = 120_000;
/** A lease of 30 s, and the other process's sweep of 30 s, which may be killed meanwhile. */
const takeOverDeadlineMs = 240_000;

/**
 * Stops an API process while it has gifts in flight, until none of them is leased to it any more, and lets it go on.
 * @returns how many gifts others have taken over
 */
export const createStop =
  (
    { apis, hit, query }: Pick<FaultStack, 'apis' | 'hit' | 'query'>,
    { random, say }: { readonly random: () => number; readonly say: (line: string) => void },
  ) =>
  async (): Promise<number> => {
    const stopBusy = async (): Promise<{ readonly api: FaultApi; readonly held: readonly string[] }> => {
      const api = pickFrom(apis, random);
      const { processId } = api;
      api.stop();
      const held = await hit.heldBy(processId);
      if (held.length > 0) return { api, held };
      api.wake();
      throw new Error('what it had in flight has ended');
    };
    const { api, held } = await eventually(stopBusy, busyDeadlineMs);
    const { processId } = api;
    const beganMs = performance.now();
    try {
      await eventually(async () => {
        const rows = await query(
          `select game, attempt.way, state, leased_until, clock_timestamp() as now from commands_in_flight
             join delivery_attempts as attempt using (command_id) join deliveries on deliveries.id = delivery_id
           where process_id = $1 and command_id = any($2)`,
          [processId, held],
        );
        if (rows.length > 0) throw new Error(`still leased to the stopped process: ${JSON.stringify(rows)}`);
      }, takeOverDeadlineMs);
    } finally {
      api.wake();
    }
    const seconds = Math.round((performance.now() - beganMs) / 1000);
    say(`an API with ${held.length} gifts in flight was stopped for ${seconds} s`);
    return held.length;
  };
