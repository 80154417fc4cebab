import { expect, test } from 'vitest';
import { reportReply } from './game-commands.ts';

// Guarantee: when the game refuses a ban, the answer says that it was refused, with the reason, and that the ban is kept.
test('a refusal that is kept', () => {
  const report = { outcome: 'answered', verdict: 'failed', detail: 'No such player.', kept: true } as const;
  const told = JSON.stringify(reportReply(report, 'Ann', 'en'));
  expect(told).toContain('Refused by the game: Ann');
  expect(told).toContain('No such player');
  expect(told).toContain('Saved');
  const away = { outcome: 'unreachable', verdict: null, detail: 'It is away.', kept: true } as const;
  expect(JSON.stringify(reportReply(away, 'Ann', 'en'))).not.toContain('Refused');
});
