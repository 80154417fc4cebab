import type { Leases } from '../leases.ts';

/** For tests whose games are faked: no other process wants what this one works on. */
export const uncontestedLeases: Leases = {
  processId: 'alone',
  begin: async () => undefined,
  take: async () => undefined,
  maySend: () => true,
  holds: async () => true,
  untilReleased: () => null,
  takeOver: async (commandIds) => new Set(commandIds),
  release: () => undefined,
  endProcesses: async () => undefined,
  otherProcesses: async () => [],
  [Symbol.asyncDispose]: async () => undefined,
};
