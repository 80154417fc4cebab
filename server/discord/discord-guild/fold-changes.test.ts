import { expect, test } from 'vitest';
import type { MemberChange } from '#contracts/discord/discord-guild.ts';
import { type FoldOptions, foldChanges, type GuildMember } from './fold-changes.ts';

const day = (number: number) => new Date(Date.UTC(2026, 0, number));
const now = day(20);
const stored = (more: Partial<GuildMember> = {}): GuildMember => ({
  id: '1',
  name: 'Ada',
  username: 'ada',
  roleIds: [],
  isBot: false,
  isPending: false,
  joinedAt: day(1),
  leftAt: null,
  ...more,
});
const change = (
  kind: 'there' | 'joined',
  { joinedAt = day(1), ...more }: Partial<GuildMember> = {},
): MemberChange => {
  const { leftAt, ...member } = stored(more);
  return { kind, member: { ...member, roleIds: [], joinedAt: joinedAt?.toISOString() ?? null } };
};
const left: MemberChange = { kind: 'left', id: '1' };
const fold = (changes: MemberChange[], more: Partial<FoldOptions> = {}) =>
  foldChanges({ before: [], changes, listedAt: day(10), now, ...more });
const joinedAt = (at: Date) => ({
  kind: 'discord.member-joined',
  payload: { discordId: '1', name: 'Ada' },
  at,
});
const leftAt = (at: Date) => ({ ...joinedAt(at), kind: 'discord.member-left' });

// Guarantee: joins and leaves are reported once each, with the time that Discord gives, and a first list reports nothing.
test.each<[string, MemberChange[], Partial<FoldOptions>, object[]]>([
  ['a first list', [change('there')], { listedAt: null }, []],
  ['a join while the first list is under way', [change('joined')], { listedAt: null }, [joinedAt(day(1))]],
  [
    'a join while the first list is under way, which had them already',
    [change('there'), change('joined')],
    { listedAt: null },
    [joinedAt(day(1))],
  ],
  ['a join that a later list shows', [change('there', { joinedAt: day(15) })], {}, [joinedAt(day(15))]],
  ['a join of which Discord tells no time', [change('there', { joinedAt: null })], {}, [joinedAt(now)]],
  [
    'a join that Discord dates into the future',
    [change('joined', { joinedAt: day(25) })],
    {},
    [joinedAt(now)],
  ],
  // Their row was deleted: they are not new.
  ['someone who was there when the last list was made', [change('there', { joinedAt: day(9) })], {}, []],
  ['a change of a member', [change('there', { name: 'Ada L.' })], { before: [stored()] }, []],
  ['a join that is told twice', [change('joined'), change('there')], {}, [joinedAt(day(1))]],
  ['a leave', [left, left], { before: [stored()] }, [leftAt(now)]],
  ['a leave of someone unknown', [left], {}, []],
  ['a bot', [change('joined', { isBot: true }), left], {}, []],
  [
    'a return',
    [change('joined', { joinedAt: day(18) })],
    { before: [stored({ leftAt: day(12) })] },
    [joinedAt(day(18))],
  ],
  [
    'leaving and coming back unseen',
    [change('there', { joinedAt: day(18) })],
    { before: [stored()] },
    [leftAt(day(18)), joinedAt(day(18))],
  ],
  [
    'joining and leaving at once',
    [change('joined', { joinedAt: day(19) }), left, change('joined', { joinedAt: now })],
    {},
    [joinedAt(day(19)), leftAt(now), joinedAt(now)],
  ],
])('%s', (_what, changes, more, events) => {
  expect(fold(changes, more).events).toEqual(events);
});

// Guarantee: the last change of a member is the one that is kept.
test('what is kept', () => {
  const renamed = change('there', { name: 'Ada L.' });
  expect(fold([change('joined'), renamed, left]).after).toEqual([stored({ name: 'Ada L.', leftAt: now })]);
  expect(fold([left]).after).toEqual([]);
  expect(fold([change('there', { joinedAt: null })], { before: [stored()] }).after).toEqual([stored()]);
});
