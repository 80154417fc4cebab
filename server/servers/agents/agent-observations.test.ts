import { expect, test } from 'vitest';
import { createAgentObservations } from './frame-intake.ts';

// Guarantee: what an agent forgets on acknowledgement is acknowledged only once those who keep it have it.
test('events and late results wait for their listeners', async () => {
  const observations = createAgentObservations();
  await expect(observations.events('island', [])).rejects.toThrow('no one listens');
  await expect(
    observations.lateResult('island', 'c1', {
      outcome: 'timeout',
      reply: null,
      truncated: false,
      sent: true,
      durationMs: 1,
    }),
  ).rejects.toThrow('no one listens');

  const { promise: written, resolve: write } = Promise.withResolvers<void>();
  observations.on('events', () => written);
  let isAcknowledged = false;
  const acknowledged = observations.events('island', []).then(() => {
    isAcknowledged = true;
  });
  await new Promise(setImmediate);
  expect(isAcknowledged).toBe(false);
  write();
  await acknowledged;
  expect(isAcknowledged).toBe(true);

  observations.on('events', () => Promise.reject(new Error('the database is away')));
  await expect(observations.events('island', [])).rejects.toThrow('the database is away');
});

// Guarantee: what needs no acknowledgement reaches every listener, and may come before there is one.
test('readings, lines and changes', () => {
  const observations = createAgentObservations();
  observations.changed('island');
  const told: string[] = [];
  observations.on('changed', (serverId) => told.push(`one ${serverId}`));
  observations.on('changed', (serverId) => told.push(`two ${serverId}`));
  observations.on('players', (serverId, { state }) => told.push(`${serverId} ${state}`));
  observations.on('lines', (serverId, lines) => told.push(`${serverId} ${lines.length}`));
  observations.changed('island');
  observations.players('island', { state: 'online', detail: null, players: null });
  observations.lines('island', [{ at: new Date(0), text: 'saved' }]);
  expect(told).toEqual(['one island', 'two island', 'island online', 'island 1']);
});
