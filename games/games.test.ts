import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gameDetails } from '#contracts/servers/game-details.ts';
import { type GameId, gameIds, games } from '#contracts/servers/games.ts';
import { runCount } from '#harness/kill-count.ts';
import type { Game, GameAction, GameActions, PlayerReference, Rendered, Verdict } from './game.ts';
import { gameOf } from './games.ts';
import type { SourceNumbers } from './mods-layout.ts';
import type { SupportedGame } from './supported-game.ts';

/** Any 16-bit units, including lone surrogates and control characters. */
const anything = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60 })
  .map((units) => String.fromCharCode(...units));
const hostile = fc.constantFrom(
  '',
  ' ',
  '\0',
  'a\nb',
  'a\r\nstop',
  'a\u0085b',
  'a\u2028b',
  '\u001b[2J',
  '"',
  "'",
  '"; shutdown "',
  '@a',
  '@e[type=!player]',
  '\ud800',
  'x'.repeat(5000),
  '𝄞'.repeat(1100),
);
const names = fc.constantFrom('Steve', '.Steve', 'Bob, Jr', "O'Neil", 'Bob, pos=(1, 2, 3)', '[VIP] Steve');
const ids = fc.constantFrom(
  'steam_76561198025588951',
  '76561198025588951',
  '0002c0ffee11d00d4242beef00c0ffee',
  '171',
  '123456789',
);
const platformIds = fc.constantFrom(
  'steam:76561198025588951',
  'eos:0002c0ffee11d00d4242beef00c0ffee',
  'xbl:a-b_c',
  'minecraft:069a79f4-44e9-4726-a5be-fca90e38aaf5',
);
const items = fc.constantFrom(
  'minecraft:iron_ingot',
  'diamond_sword[custom_name=\'"x"\']',
  "Blueprint'/Game/Mods/Item.Item'",
  '71',
  'gunHandgunT1Pistol',
);
const text = fc.oneof(fc.string({ unit: 'grapheme' }), anything, hostile);
const maybe = (known: fc.Arbitrary<string>) =>
  fc.option(fc.oneof({ arbitrary: known, weight: 6 }, { arbitrary: text, weight: 1 }), { nil: undefined });
const player: fc.Arbitrary<PlayerReference> = fc.record({
  name: maybe(names),
  platformId: maybe(platformIds),
  handle: maybe(fc.oneof(ids, names)),
});
const amount = fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer(), fc.double());

/** The inputs of all actions together. */
const input = fc.record({
  player,
  item: fc.oneof(items, items, text),
  quantity: amount,
  quality: fc.option(fc.oneof(fc.integer({ min: 0, max: 7 }), amount), { nil: undefined }),
  message: text,
  reason: text,
});
type Input = typeof input extends fc.Arbitrary<infer Made> ? Made : never;

const actionsOf = (game: Game) =>
  (Object.keys(game.actions) as GameAction[]).flatMap((name) => {
    const forms = game.actions[name];
    if (!forms) return [];
    // Every action's input is a subset of `Input`.
    const render = forms.render as (given: Input) => Rendered;
    const read = forms.read as (reply: string, given: Input) => Verdict;
    return [{ name, render, read }];
  });

const runs = runCount({ day: 800, night: 3000 });

test.each(gameIds)('%s is found by its id', (id) => {
  expect(gameOf(id).id).toBe(id);
});

type GameFact = keyof (typeof games)[GameId];
type GameDetail = keyof (typeof gameDetails)[GameId];

/** The fact that says whether a game has the action; null: each game has it. */
const factOf = {
  broadcast: null,
  say: null,
  save: null,
  give: 'hasItems',
  message: 'hasMessages',
  kick: null,
  ban: null,
  unban: null,
  'whitelist-add': 'hasWhitelist',
  'whitelist-remove': 'hasWhitelist',
} as const satisfies Record<GameAction, GameFact | null>;

const noLoader = { loader: null, loaderVersion: null, gameVersion: null } as const;
const takesMods = ({ mods }: SupportedGame, loader: 'fabric' | null): boolean =>
  mods.forms({ ...noLoader, loader }).length > 0;

/** How an adapter shows each fact; null: it has no part in it, or reads it there itself. */
const shown: Readonly<Record<GameFact | GameDetail, ((game: SupportedGame, id: GameId) => unknown) | null>> =
  {
    name: null,
    defaultPort: null,
    hasLiveConsole: null,
    question: null,
    glyph: null,
    hue: null,
    hasItems: ({ store }) => store.items().length > 0,
    hasMessages: ({ actions }) => actions.message !== null,
    hasWhitelist: ({ actions }) => actions['whitelist-add'] !== null,
    hasQuality: ({ store }) => store.items().some((item) => store.itemFault(item.id, 1) === null),
    hasMods: (game) => takesMods(game, 'fabric'),
    modSources({ mods }, id) {
      const sources: readonly (keyof SourceNumbers | 'modrinth')[] = games[id].modSources;
      // Modrinth has no number for a game.
      return sources.filter((source) => source === 'modrinth' || mods.sourceNumbers[source] !== null);
    },
    provesGifts: ({ store }) => store.provesGifts,
    hasLoaders: (game) => takesMods(game, 'fabric') && !takesMods(game, null),
    hasSurvivorNumbers: ({ store }) => store.needsSurvivorNumber,
    whitelist: ({ actions, store }, id) => {
      const player = { ...store.sample, name: store.sample.handle };
      const values = {
        ...store.sample,
        player: player.name,
        survivorNumber: null,
        quantity: 1,
        orderId: '1',
      };
      const { whitelist } = gameDetails[id];
      const isCommand = (template: string, action: 'whitelist-add' | 'whitelist-remove') =>
        isDeepStrictEqual(store.renderTemplate(template, values), actions[action]?.render({ player }));
      return (
        whitelist && {
          ...whitelist,
          command: isCommand(whitelist.command, 'whitelist-add') && whitelist.command,
          counterCommand: isCommand(whitelist.counterCommand, 'whitelist-remove') && whitelist.counterCommand,
        }
      );
    },
  };

// Guarantee: the panel offers an action exactly where the game has a command for it, and says nothing of a game that its adapter
// contradicts.
test.each(gameIds)('what the panel offers for %s', (id) => {
  const game = gameOf(id);
  for (const [action, fact] of Object.entries(factOf))
    expect(game.actions[action as GameAction] !== null, action).toBe(fact === null || games[id][fact]);
  const facts: Readonly<Record<string, unknown>> = { ...games[id], ...gameDetails[id] };
  for (const [fact, show] of Object.entries(shown))
    if (show) expect(facts[fact], fact).toEqual(show(game, id));
  for (const [source, number] of Object.entries(game.mods.sourceNumbers))
    if (number !== null) expect(games[id].modSources).toContain(source);
});

// Guarantee: whatever people write, a command is one line of text that the game accepts, or it is refused with a reason.
test.each(gameIds)(`the commands of %s (${runs} inputs for each action)`, { tags: 'kills' }, (id) => {
  const game = gameOf(id);
  for (const { name, render } of actionsOf(game)) {
    let rendered = 0;
    fc.assert(
      fc.property(input, (given) => {
        const result = render(given);
        if ('refused' in result) {
          expect(result.refused).toMatch(/^(?:[A-Z]|7 Days).*\.$/);
          return;
        }
        rendered += 1;
        expect(result.command).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u);
        expect(Buffer.byteLength(result.command)).toBeLessThanOrEqual(game.longestCommandBytes);
        expect(result.command.trim()).toBe(result.command);
      }),
      { numRuns: runs },
    );
    expect(rendered, `${name} was rendered`).toBeGreaterThan(0);
  }
});

/** How the game parses the command of a gift; null: it gives nothing. */
const takenApart: Record<GameId, RegExp | null> = {
  palworld: null,
  minecraft: /^give [.+-]?\w{1,16} [a-z0-9_.:/-]+(?:[[{].*[\]}])? (\d+)$/,
  'seven-days-to-die': /^give (?:"[^"]+"|\w[\w-]*) [\w:.+-]+ (\d+)(?: [1-6])?$/,
  'ark-se': /^GiveItem(?:NumToPlayer \d+ \d+|ToPlayer \d+ "Blueprint'[\w./-]+'") (\d+) \d+ 0$/,
  'ark-asa': /^GiveItem(?:NumToPlayer \d+ \d+|ToPlayer \d+ "Blueprint'[\w./-]+'") (\d+) \d+ 0$/,
};

// Guarantee: the command of a gift has the intended arguments, and that amount.
test.each(gameIds)('the gifts of %s', (id) => {
  const shape = takenApart[id];
  expect(gameOf(id).actions.give === null).toBe(shape === null);
  if (shape === null) return;
  fc.assert(
    fc.property(input, (given) => {
      const result = gameOf(id).actions.give?.render(given) ?? { refused: '' };
      if ('refused' in result) return;
      expect(shape.exec(result.command)?.[1]).toBe(String(given.quantity));
    }),
    { numRuns: runs },
  );
});

const steve: GameActions['give'] & GameActions['kick'] & GameActions['message'] = {
  player: { name: 'Steve', platformId: 'steam:76561198025588951', handle: 'Steve' },
  item: 'minecraft:iron_ingot',
  quantity: 64,
  message: 'hello',
  reason: 'rude',
};
const pieces = fc.constantFrom(
  'Gave ',
  '64',
  ' [Iron Ingot]',
  ' to ',
  'No player was found',
  'Dropped ',
  'Item not found.',
  'Kicked',
  'Kicking Player ',
  'World ',
  'Saving',
  'Server received, But no response!!',
  'HTTP ',
  'HTTP 500',
  'OK',
  '{"players":',
  'There are 2 of a max of 20 players online: ',
  '0. Bob, 76561198025588951',
  '0. id=171, Bob, pos=(',
  'Total of 2 in the game',
  '\n',
  ' (069a79f4-44e9-4726-a5be-fca90e38aaf5)',
);
const garbage = fc.oneof(
  anything,
  text,
  fc.array(pieces, { maxLength: 3 }).map((some) => some.join('')),
);

// Guarantee: garbage is never success, and nothing that a game may answer or log makes its adapter throw.
test.each(gameIds)(`garbage from %s (${runs} replies and lines)`, { tags: 'kills' }, (id) => {
  const game = gameOf(id);
  fc.assert(
    fc.property(garbage, input, (reply, given) => {
      for (const { name, read } of actionsOf(game)) {
        expect(['unproven', 'later', 'failed'], `${name} of ${JSON.stringify(reply)}`).toContain(
          read(reply, { ...given, ...steve }).verdict,
        );
        read(reply, given);
      }
      game.listPlayers.read(reply);
      game.readLogLine(reply);
    }),
    { numRuns: runs },
  );
});

/** One length that is still read, and one that is refused. */
const lengths = [4000, 70_000];

// Guarantee: an endless reply that is crafted to be slow to read does not delay anything. The limit is generous; the faults that it
// catches take minutes.
test.each(gameIds)('long replies from %s', { timeout: 30_000 }, (id) => {
  const game = gameOf(id);
  for (const worst of [
    '"',
    '[',
    '(',
    '<--',
    ' to ',
    'Given * 1',
    ', pos=(), rot=()',
    '1, ',
    ', a=',
    "', ",
    '0. ',
    'a (b)',
  ])
    for (const start of ['', 'There are 2 of a max of 20 players online: ', '0. ', '0. id=1, ', 'Gave 64 '])
      for (const length of lengths) {
        const reply = start + worst.repeat(length / worst.length);
        for (const { read } of actionsOf(game))
          expect(read(reply, { ...steve, quality: undefined }).verdict).not.toBe('done');
        game.listPlayers.read(reply);
        game.readLogLine(reply);
      }
});
