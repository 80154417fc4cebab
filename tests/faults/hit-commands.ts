import type { FaultStack } from './fault-stack.ts';

/** Gifts that were in flight where a fault hit: of these, no one may have learned how they ended. */
export interface HitCommands {
  readonly ids: ReadonlySet<string>;
  /** What this API process was sending when it ended or was stopped. @returns the commands */
  heldBy(processId: string): Promise<readonly string[]>;
  /** What was on its way to this server when it or its agent ended. @param since shortly before, by the clock of this machine */
  onServer(serverId: string, since: Date): Promise<void>;
}

/** No gift is in flight for longer: its answer's deadline, and what it waited for its turn. */
const longestFlightMs = 120_000;

export const createHitCommands = (query: FaultStack['query']): HitCommands => {
  const ids = new Set<string>();
  const add = (rows: readonly { readonly command_id: string }[]): readonly string[] => {
    const found = rows.map(({ command_id }) => command_id);
    for (const id of found) ids.add(id);
    return found;
  };
  return {
    ids,
    heldBy: async (processId) =>
      add(
        await query(
          `select command_id from commands_in_flight join delivery_attempts as attempt using (command_id)
             join deliveries on deliveries.id = delivery_id and deliveries.attempts = attempt.number
           where process_id = $1 and state = 'sending'`,
          [processId],
        ),
      ),
    async onServer(serverId, since) {
      add(
        await query(
          `select command_id from delivery_attempts
           where server_id = $1 and began_at > $3 and (ended_at is null or ended_at >= $2)`,
          [serverId, since, new Date(since.getTime() - longestFlightMs)],
        ),
      );
    },
  };
};
