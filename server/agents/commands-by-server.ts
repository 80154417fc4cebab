import type { CommandResult } from '#contracts/games.ts';
import type { WaitingCommand } from './waiting-command.ts';

/** The commands without a result, for each server in the order in which they were given. */
export interface CommandsByServer {
  of(serverId: string): ReadonlyMap<string, WaitingCommand>;
  add(command: WaitingCommand): void;
  /** Whether this command is still the one under its id. */
  has(command: WaitingCommand): boolean;
  drop(command: WaitingCommand): void;
  /** Drops it, and notifies those who wait for it. */
  settle(command: WaitingCommand, result: CommandResult): void;
  /** Drops all; those who wait get `why`. */
  end(why: Error): void;
}

const none: ReadonlyMap<string, WaitingCommand> = new Map();

export const createCommandsByServer = (): CommandsByServer => {
  const byServer = new Map<string, Map<string, WaitingCommand>>();

  const of = (serverId: string) => byServer.get(serverId) ?? none;
  const has = (command: WaitingCommand) => of(command.serverId).get(command.id) === command;
  const drop = (command: WaitingCommand) => {
    if (!has(command)) return;
    clearTimeout(command.timer);
    const own = byServer.get(command.serverId);
    own?.delete(command.id);
    if (own?.size === 0) byServer.delete(command.serverId);
  };

  return {
    of,
    add(command) {
      const own = byServer.get(command.serverId) ?? new Map<string, WaitingCommand>();
      byServer.set(command.serverId, own.set(command.id, command));
    },
    has,
    drop,
    settle(command, result) {
      drop(command);
      for (const waiter of command.waiters) waiter.settle(result);
    },
    end(why) {
      const all = [...byServer.values()].flatMap((own) => [...own.values()]);
      byServer.clear();
      for (const { timer, waiters } of all) {
        clearTimeout(timer);
        for (const waiter of waiters) waiter.fail(why);
      }
    },
  };
};
