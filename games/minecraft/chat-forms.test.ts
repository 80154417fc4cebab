import { expect, test } from 'vitest';
import { chatForms } from './chat-forms.ts';

const stamp = '[12:34:56] [Async Chat Thread - #0/INFO]: ';
const online = ['Steve', 'Bob', '*Ann', '.Cool Guy', 'VIP'];
const read = (said: string, ...forms: string[]) => {
  const seen = chatForms.read(stamp + said, forms, online);
  return seen?.kind === 'chat' ? [seen.player.name, seen.text] : seen;
};

// Guarantee: a line in a form that the owner chose is heard, whichever plug-in writes it.
test.each<[string, string, string, string]>([
  ['[Member] {name}: {text}', '[Member] Steve: hello', 'Steve', 'hello'],
  ['{name} » {text}', 'Steve » !shop', 'Steve', '!shop'],
  ['[world] <{name}> {text}', '[world] <Steve> hi', 'Steve', 'hi'],
  ['[{any}]<{name}> {text}', '[world_nether]<Steve> hi', 'Steve', 'hi'],
  ['[{any}] [{any}] [{any}] {name}: {text}', '[G] [President] [Knight] Bob: a: b', 'Bob', 'a: b'],
  ['{name}: {text}', '[Not Secure] Steve: hi', 'Steve', 'hi'],
  ['[Newbie] {name}: {text}', '[Newbie] *Ann: hey guys', '*Ann', 'hey guys'],
  ['{name} [{any}] → {text}', 'Steve [KoTH] → hi', 'Steve', 'hi'],
  ['Owner {name} > {text}', 'Owner Steve > hi', 'Steve', 'hi'],
  ['[CHAT] {name}: {text}', '[CHAT] .Cool Guy: hi', '.Cool Guy', 'hi'],
  ['✦ {name} ⏵ {text}', '✦ Steve ⏵ hi', 'Steve', 'hi'],
])('%s', (form, said, name, text) => {
  expect(chatForms.faultOf(form)).toBeNull();
  expect(read(said, form)).toEqual([name, text]);
});

// Guarantee: no one speaks for another: a quoted line, a line of another channel and a line with two readings are no player's.
test('imitations', () => {
  const forms = ['[{any}] {name}: {text}', '{name}: {text}'];
  expect(read('Steve: [Member] Bob: !buy', ...forms)).toEqual(['Steve', '[Member] Bob: !buy']);
  expect(read('[Member] Steve: Bob: !buy', ...forms)).toEqual(['Steve', 'Bob: !buy']);
  for (const said of [
    '[Discord] Steve: !buy',
    '[Rcon] Steve: !buy',
    '[Server] Steve: !buy',
    '[Bob] Steve: !buy',
    '[VIP] Steve: !buy',
    '[Staff Chat] Steve: secret',
    '[Bob -> Steve] !buy',
    '[SocialSpy] Steve: /msg Bob !buy',
    '* Bob Steve: !buy',
    'x Steve: !buy',
    'Eve: !buy',
    'Steve lost connection: Disconnected',
    'Steve issued server command: /op Bob',
    'Steves: hi',
    '',
  ])
    expect(read(said, ...forms), said).toBeNull();
  expect(read('<Steve> [Member] Bob: !buy', ...forms)).toBeNull();
  expect(chatForms.read('[12:34:56] [Server thread/WARN]: Steve: hi', forms, online)).toBeNull();
  expect(chatForms.read('Steve: hi', forms, online)).toBeNull();
  // Two forms that name two players.
  expect(read('Steve > Bob > hi', '{name} > {text}', 'Steve > {name} > {text}')).toBeNull();
});

// Guarantee: a form that could be read in several ways is refused.
test.each([
  ['{text}', 'shape'],
  ['{name}', 'shape'],
  ['{name} and {name}: {text}', 'shape'],
  ['{text} {name}', 'shape'],
  ['{name}: {text}.', 'shape'],
  ['{name} {text}', 'separator'],
  ['{name}{text}', 'separator'],
  ['{name} says {text}', 'separator'],
  ['{any} {name}: {text}', 'any'],
  ['[{any}: {name}: {text}', 'any'],
  ['({any}] {name}: {text}', 'any'],
])('%s: %s', (form, fault) => {
  expect(chatForms.faultOf(form)).toBe(fault);
  expect(read('Steve: hi', form)).toBeNull();
});

// Guarantee: forms are proposed from lines that look like the chat of players who are online, and from no others.
test('proposals', () => {
  const lines = [
    '[Member] Steve: hello',
    '[Owner] Bob: hi',
    '[Member] Steve: again',
    'Bob » old style',
    '[Discord] Steve: hi',
    'Steve joined the game',
    'Steve issued server command: /spawn',
    'UUID of player Steve is 069a79f4-44e9-4726-a5be-fca90e38aaf5',
    'Steve was slain by Zombie',
    '[Steve: Set the time to 1000]',
    '* Steve waves: hi',
    'Preparing spawn area: 84%',
    '<Steve> plain',
  ].map((said) => stamp + said);
  const proposed = chatForms.propose(lines, [], online);
  expect(proposed.map(({ form, count }) => [form, count])).toEqual([
    ['[{any}] {name}: {text}', 3],
    ['[Member] {name}: {text}', 2],
    ['[Owner] {name}: {text}', 1],
    ['{name} » {text}', 1],
  ]);
  expect(lines.filter((line) => chatForms.isUnread(line, ['{name} » {text}'], online))).toHaveLength(3);
  expect(
    chatForms.propose(
      lines,
      proposed.map(({ form }) => form),
      online,
    ),
  ).toEqual([]);
  for (const { form } of proposed) expect(chatForms.faultOf(form)).toBeNull();
});

// Guarantee: hostile lines, names and forms take no time.
test('hostile lines', () => {
  const many = (text: string) => text.repeat(Math.ceil(3900 / text.length));
  const names = Array.from({ length: 300 }, (_, index) => `${'a'.repeat(index % 15)}${index}`);
  for (const said of [many('['), many('[a] '), many('Steve: '), many('a'), many(': '), many('[a')])
    for (const form of ['[{any}] [{any}] [{any}] {name}: {text}', '{name}: {text}']) {
      chatForms.read(stamp + said, [form], [...online, ...names]);
      chatForms.propose([stamp + said], [form], [...online, ...names]);
    }
});
