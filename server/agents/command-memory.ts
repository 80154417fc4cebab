import type { AgentCommands } from './agent-commands.ts';
import type { AgentPins } from './agent-pins.ts';
import type { AgentSession } from './agent-session.ts';

export interface CommandMemoryOptions {
  readonly pins: Pick<AgentPins, 'rememberMemory'>;
  readonly commands: Pick<AgentCommands, 'giveUp' | 'pump'>;
}

/**
 * Ends the doubt whether the agent remembers the commands that were sent to it before. An agent that names the journal
 * it named last does, and is sent again what it has not answered. For any other, no one can tell how they ended: they
 * are `unknown`.
 * @param said null: it does not say, as agents do that do not know the field
 */
export type SettleMemory = (session: AgentSession, said: string | null) => Promise<void>;

export const createCommandMemory =
  ({ pins, commands }: CommandMemoryOptions): SettleMemory =>
  async (session, said) => {
    const { serverId, commandJournal, isMemoryDoubted } = session;
    if (!isMemoryDoubted && said === commandJournal) return;
    // The previous process is known to be the same one, and names its journal only now.
    const isFirstWord = !isMemoryDoubted && commandJournal === null;
    if (said === null || (said !== commandJournal && !isFirstWord)) await commands.giveUp(serverId);
    await pins.rememberMemory(serverId, said);
    Object.assign(session, { commandJournal: said, isMemoryDoubted: false });
    void commands.pump(serverId);
  };
