import type { Enrolment } from '#contracts/servers/agent-enrolment.ts';
import type { Agent } from '#contracts/servers/agents.ts';
import type { GameServer } from '#contracts/servers/game-servers.ts';

export const enrolSteps = ['downloaded', 'started', 'connected', 'console', 'players'] as const;
export type EnrolStep = (typeof enrolSteps)[number];

/**
 * - `done`: proven
 * - `next`: waited for
 * - `failed`: there is an obstacle, which the remedy solves
 * - `later`: an earlier step comes first
 */
export type EnrolStepState = 'done' | 'next' | 'failed' | 'later';

/** The progress of a new agent. Anything an older agent does while the code is still open does not count. */
export const enrolProgress = (options: {
  readonly enrolment: Pick<Enrolment, 'state' | 'downloadedAt' | 'usedAt' | 'lastFailure'> | null;
  readonly agent: Pick<Agent, 'mode' | 'stale' | 'state' | 'detail' | 'lastRefusal'>;
  readonly players: GameServer['status']['players'];
}): Record<EnrolStep, EnrolStepState> => {
  const { enrolment, agent, players } = options;
  const isUsed = enrolment?.state === 'used';
  const isConnected = isUsed && agent.mode !== null && !agent.stale;
  const isFound = isConnected && agent.state !== null && agent.state !== 'unknown';
  const isDone = {
    downloaded: isUsed || (enrolment !== null && enrolment.downloadedAt !== null),
    started: isUsed,
    connected: isConnected,
    console: isFound,
    // The number is missing while the game runs beside its agent; a list that the agent cannot read has a detail.
    players: isConnected && agent.state === 'online' && (players !== null || agent.detail === null),
  };
  const hasFailed = {
    downloaded: false,
    started: enrolment !== null && (enrolment.lastFailure !== null || enrolment.state === 'ended'),
    connected: agent.lastRefusal !== null,
    console: agent.state === 'unknown',
    players: agent.state !== 'online',
  };
  const states = {} as Record<EnrolStep, EnrolStepState>;
  let isLater = enrolment === null;
  for (const step of enrolSteps) {
    if (isDone[step]) states[step] = 'done';
    else if (isLater) states[step] = 'later';
    else states[step] = hasFailed[step] ? 'failed' : 'next';
    // An agent that is started by hand was downloaded by hand, and then its refusal is the news.
    isLater ||= !isDone[step] && !(step === 'downloaded' && hasFailed.started);
  }
  return states;
};
