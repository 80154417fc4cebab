import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reasons } from '#contracts/kernel/reasons.ts';
import { type GameId, gameIds } from '#contracts/servers/games.ts';
import { placeholders } from '#contracts/store/store.ts';
import { runCount } from '#harness/kill-count.ts';
import { gameOf } from './games.ts';
import type { TemplateValues } from './store-forms.ts';

const unknownPlayer: TemplateValues = {
  player: null,
  platformId: null,
  handle: null,
  survivorNumber: null,
  quantity: 1,
  orderId: 'corder1',
};
const platformIds: Record<GameId, string> = {
  palworld: 'steam:76561198025588951',
  minecraft: 'minecraft:069a79f4-44e9-4726-a5be-fca90e38aaf5',
  'seven-days-to-die': 'steam:76561198025588951',
  'ark-se': 'steam:76561198025588951',
  'ark-asa': 'eos:0002c0ffee11d00d4242beef00c0ffee',
};
const handles: Record<GameId, string> = {
  palworld: 'steam_76561198025588951',
  minecraft: 'Steve',
  'seven-days-to-die': '171',
  'ark-se': '76561198025588951',
  'ark-asa': '0002c0ffee11d00d4242beef00c0ffee',
};
/** Enough for every shape that a generator has; the seeds differ from run to run. */
const runs = runCount({ day: 300, night: 1000 });

const hostile = fc.constantFrom(
  '',
  ' ',
  '"',
  "'",
  'a"b',
  'a" b "c',
  '\\',
  'a\\',
  'a;b',
  'a | cheat b',
  'a\nstop',
  'a\r\nstop',
  'a\0',
  'a\u2028b',
  '@a',
  '@e[type=!player]',
  '＠a',
  'a＂b',
  'a；b',
  'a“b”',
  '\u202eevetS',
  'a\u200bb',
  'a\u3164',
  '\ufeffSteve',
  '\ud800',
  '{player}',
  '{quantity}',
  '$&',
  '`id`',
  '%s',
  '-1',
  '171',
  '１７１',
  'Steam_76561198025588951',
  'x'.repeat(5000),
);
const name = fc.oneof(
  fc.constantFrom('Steve', 'Otter, the 2nd', 'Bob Jr', "O'Neil", 'Стив', '[VIP] Ann', 'נועה', '李'),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
    .map((units) => String.fromCharCode(...units)),
  hostile,
);
const values = (id: GameId) =>
  fc.record({
    player: fc.option(name),
    platformId: fc.option(fc.oneof(fc.constant(platformIds[id]), name)),
    handle: fc.option(fc.oneof(fc.constant(handles[id]), name)),
    survivorNumber: fc.option(fc.oneof(fc.constant('123456789'), name)),
    quantity: fc.oneof(fc.integer({ min: 1, max: 5000 }), fc.integer(), fc.double()),
    orderId: fc.oneof(fc.constant('corder1'), name),
  });

/** Arguments of a console: spaces separate them, double quotes keep them together. */
const argumentsOf = (line: string): string[] => {
  expect(line.split('"').length % 2, `quotes of ${line}`).toBe(1);
  return [...line.matchAll(/"([^"]*)"|[^\s"]+/g)].map((match) => match[1] ?? match[0]);
};

// Guarantee: a value stays one argument at its place in the template, whatever it contains, or the command is refused.
test.each(gameIds)(
  `templates of %s (${runs} values for each placeholder, alone and between quotes)`,
  { tags: 'kills' },
  (id) => {
    const { store, longestCommandBytes } = gameOf(id);
    for (const placeholder of placeholders)
      for (const template of [`grant {${placeholder}} end`, `grant "to {${placeholder}}" end`]) {
        let rendered = 0;
        fc.assert(
          fc.property(values(id), (given) => {
            const result = store.renderTemplate(template, given);
            if ('refused' in result) {
              expect(result.refused).toMatch(/\.$/);
              return;
            }
            rendered += 1;
            const { command } = result;
            expect(command).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs};|@\\`$\u3164]/u);
            expect(Buffer.byteLength(command)).toBeLessThanOrEqual(longestCommandBytes);
            const words = argumentsOf(command);
            expect(words).toHaveLength(3);
            expect([words[0], words[2]]).toEqual(['grant', 'end']);
          }),
          { numRuns: runs },
        );
        if (placeholder !== 'survivorNumber') expect(rendered, template).toBeGreaterThan(0);
      }
  },
);

// Guarantee: no quotes around a placeholder let a value leave its argument, and a value is never itself the command, whichever
// word carries it out.
test.each(gameIds)('quotes in the templates of %s', (id) => {
  const given = (player: string) => ({ ...unknownPlayer, player });
  const names = [
    'Bob Jr',
    `Ann" end`,
    `Ann' end`,
    "'",
    '"',
    '""',
    'Ann\\',
    'Ann”',
    '＂Ann＂',
    'a | stop',
    'stop; x',
  ];
  const templates = [
    `grant ""{player}"" end`,
    `grant '{player}' end`,
    `grant "it's {player}" end`,
    `grant "a" {player} "b" end`,
    `grant "a {player}" "{player}" end`,
  ];
  for (const template of templates)
    for (const player of names) {
      const result = gameOf(id).store.renderTemplate(template, given(player));
      if ('refused' in result) continue;
      const plain = argumentsOf(template.replaceAll('{player}', 'Ann'));
      expect(argumentsOf(result.command), result.command).toHaveLength(plain.length);
    }
  for (const template of [
    `"" {player}`,
    'execute as Ann run {player}',
    `execute if entity Ann run "{player}"`,
    'sudo Ann {player}',
    'cheat {player}',
    'ScriptCommand {player} x',
  ])
    expect(gameOf(id).store.renderTemplate(template, given('stop')), template).toHaveProperty('refused');
});

test('values as each game calls them', () => {
  const rendered = (id: GameId, template: string, given: Partial<TemplateValues>) =>
    gameOf(id).store.renderTemplate(template, { ...unknownPlayer, ...given });
  const bob = { player: 'Bob Jr', platformId: 'steam:76561198025588951', handle: '171' };
  expect(rendered('minecraft', 'lp user {player} parent add vip', { player: '.Steve' })).toEqual({
    command: 'lp user .Steve parent add vip',
  });
  expect(rendered('minecraft', 'xp add {platformId} 5', { platformId: platformIds.minecraft })).toEqual({
    command: 'xp add 069a79f4-44e9-4726-a5be-fca90e38aaf5 5',
  });
  expect(rendered('seven-days-to-die', 'bc-add {player} {quantity}', bob)).toEqual({
    command: 'bc-add "Bob Jr" 1',
  });
  expect(rendered('seven-days-to-die', 'say "Thanks, {player}!"', bob)).toEqual({
    command: 'say "Thanks, Bob Jr!"',
  });
  expect(rendered('seven-days-to-die', 'say to:{player}', bob)).toHaveProperty('refused');
  expect(rendered('seven-days-to-die', 'kick {platformId} {handle}', bob)).toEqual({
    command: 'kick Steam_76561198025588951 171',
  });
  expect(rendered('ark-se', 'AddExperience {survivorNumber} {quantity}', { survivorNumber: '7' })).toEqual({
    command: 'AddExperience 7 1',
  });
  expect(rendered('ark-se', 'Kick {player}', { player: '76561198025588951' })).toHaveProperty('refused');
  for (const template of ['{player} stop', '/{player}', '"{player}"', 'say {name}', 'say {survivorNumber}'])
    expect(rendered('minecraft', template, { player: 'Steve' })).toHaveProperty('refused');
});

const read = (reply: string, success: string[], failure: string[], given: Partial<TemplateValues> = {}) =>
  gameOf('seven-days-to-die').store.readTemplateReply(
    reply,
    { success, failure },
    { ...unknownPlayer, ...given },
  ).verdict;

test('replies are judged by whole lines', () => {
  expect(read('Rank set', ['Rank set'], [])).toBe('done');
  expect(read('Rank set to vip', ['Rank set'], [])).toBe('unproven');
  expect(read('noise\nRank set to vip\n', ['Rank set*'], [])).toBe('done');
  expect(read('§aRank set to §6vip', ['*set*vip'], [])).toBe('done');
  expect(read('No such rank', ['Rank set*'], ['No such*'])).toBe('failed');
  expect(read('Rank set\nNo such rank', ['Rank set*'], ['No such*'])).toBe('unproven');
  expect(read('anything', [], ['No such*'])).toBe('unproven');
  expect(read('', ['Rank set*'], [])).toBe('unproven');
  expect(read('aab', ['a*ab'], [])).toBe('done');
  expect(read('ab', ['ab*b'], [])).toBe('unproven');
  expect(read('x.y', ['x?y', 'x(.)y', 'x.+'], [])).toBe('unproven');
  expect(
    read('Gave 5 to Ann (5)', ['Gave {quantity} to {player} *'], [], { player: 'Ann', quantity: 5 }),
  ).toBe('done');
  expect(read('Gave 50 to Ann', ['Gave {quantity} to *'], [], { player: 'Ann', quantity: 5 })).toBe(
    'unproven',
  );
});

// Guarantee: a player's name proves neither success nor failure.
test('names that imitate replies', () => {
  expect(read('Unknown player: Rank set', ['*Rank set*'], [], { player: 'Rank set' })).toBe('unproven');
  expect(read('Unknown player: rank SET', ['*rank SET*'], [], { player: 'Rank set' })).toBe('unproven');
  expect(read('Unknown player: Success', ['*Success*'], [], { player: '[ff0000]Success' })).toBe('unproven');
  expect(read('Gave it to error', ['Gave it to *'], ['*error*'], { player: 'error' })).toBe('unproven');
  expect(read('Bye failed', ['Bye*'], ['*failed*'], { player: 'fail' })).toBe('unproven');
  const words = ['Success', 'error', 'Rank set', 'a', '*', 'No such', ' '];
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }).map((some) => some.join('')),
      (player) => {
        // The game's reply is only the name.
        const said = `x ${player} x`;
        expect(read(said, ['*Success*', '*Rank set*'], ['*error*', '*No such*'], { player })).toBe(
          'unproven',
        );
      },
    ),
    { numRuns: runs },
  );
});

test('patterns and long replies are read in passing', () => {
  const pattern = 'a*'.repeat(150);
  expect(read(`${'a'.repeat(4000)}b`, [`${pattern}c`], [pattern])).toBe('failed');
  expect(read('a'.repeat(100_000), [`${pattern}b`], [])).toBe('unproven');
});

/** The spelling of each game's items; null: its console gives none. */
const itemShapes: Readonly<Record<GameId, RegExp | null>> = {
  palworld: null,
  'ark-se': /^Blueprint'\/Game\/(?:\w+\/)+(?<name>PrimalItem\w+)\.\k<name>'$/,
  'ark-asa': /^Blueprint'\/Game\/(?:\w+\/)+(?<name>PrimalItem\w+)\.\k<name>'$/,
  'seven-days-to-die': /^[a-z]+[A-Z0-9][A-Za-z0-9]*$/,
  minecraft: /^minecraft:[a-z0-9_]+$/,
};

// Guarantee: the shipped items can be given, each is listed once, and has a name in plain words.
test.each(gameIds)('the items of %s', (id) => {
  const { store } = gameOf(id);
  const items = store.items();
  const shape = itemShapes[id];
  if (shape === null) {
    expect(items).toEqual([]);
    expect(store.itemFault('Wood', undefined)).toBe(reasons['no-give-command']);
    return;
  }
  expect(items.length).toBeGreaterThanOrEqual(150);
  expect(new Set(items.map((item) => item.id)).size).toBe(items.length);
  for (const item of items) {
    expect(item.id).toMatch(shape);
    expect(store.itemFault(item.id, undefined), item.id).toBeNull();
    expect(item.name).toMatch(/^[.\dA-Z][\w.'()+ -]*$/);
  }
  expect(store.items()).toBe(items);
});

test('what the games need of a gift', () => {
  expect(gameOf('ark-asa').store).toMatchObject({
    provesGifts: false,
    needsSurvivorNumber: true,
    guard: null,
  });
  expect(gameOf('seven-days-to-die').store).toMatchObject({ provesGifts: true, guard: null });
  for (const id of gameIds) {
    const { store, actions } = gameOf(id);
    if (actions.give === null) continue;
    const player = store.referenceOf({
      player: 'Steve',
      platformId: platformIds[id],
      handle: handles[id],
      survivorNumber: '123456789',
      quantity: 1,
      orderId: 'corder1',
    });
    const [item] = store.items();
    const gift = { player, item: item?.id ?? '', quantity: store.mostAtOnce };
    expect(actions.give.render(gift)).toHaveProperty('command');
    expect(actions.give.render({ ...gift, player: store.referenceOf(unknownPlayer) })).toHaveProperty(
      'refused',
    );
  }
  expect(
    gameOf('ark-se').actions.give?.render({
      player: gameOf('ark-se').store.referenceOf({ ...unknownPlayer, survivorNumber: '7' }),
      item: '71',
      quantity: 1,
    }),
  ).toEqual({ command: 'GiveItemNumToPlayer 7 71 1 0 0' });
});
