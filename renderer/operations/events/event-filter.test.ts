// Guarantee: the filter in an address is always one that the API understands, whatever someone has typed, and the live
// stream obeys it as the list does.
import { expect, it } from 'vitest';
import { eventFilter } from '#contracts/kernel/events.ts';
import { eventFilterIn, isInFilter } from './event-filter.ts';

const row = {
  kind: 'player.joined',
  severity: 'info',
  serverId: 's1',
  at: '2026-01-02T03:04:05.000Z',
  payload: { playerId: '7', name: 'Zoë' },
} as const;

it('takes what is known and leaves out what is not', () => {
  const filter = eventFilterIn({
    kind: 'player.joined,nonsense',
    severity: 'loud',
    from: 'yesterday',
    server: '',
  });
  expect(filter).toEqual({ kind: ['player.joined'] });
  expect(eventFilter.safeParse(eventFilterIn({ server: 'x'.repeat(5000), to: '2026-01-02' })).success).toBe(
    true,
  );
});

it.each([
  [{ kind: 'player.joined,player.left' }, true],
  [{ kind: 'player.left' }, false],
  [{ severity: 'warning,alert' }, false],
  [{ person: 'player:7' }, true],
  [{ person: 'player:77' }, false],
  [{ person: 'admin:7' }, false],
  [{ person: 'nonsense' }, true],
  [{ server: 's1' }, true],
  [{ server: 's2' }, false],
  [{ from: '2026-01-02T03:04:05.000Z' }, true],
  [{ to: '2026-01-02T03:04:05.000Z' }, false],
  [{}, true],
])('%j lets the event through: %s', (values, isIn) => {
  expect(isInFilter(eventFilterIn(values), row)).toBe(isIn);
});
