import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { newServer } from '../../server/kernel/testing/call.ts';
import { trustChat } from '../../server/kernel/testing/trust-chat.ts';
import { botForThisFile, buttonsOf, textOf } from './testing/bot-of-a-test.ts';
import { isEphemeral, typedCommands } from './testing/typed-commands.ts';

const bot = botForThisFile();
const { answer, said, press } = typedCommands(bot);

// Guarantee: a newcomer confirms each server by its own button, in their own language, and only servers that are trusted are offered.
test('confirm', async () => {
  const { people, linked, port, context } = bot();
  const { presence } = context.people;
  const { directory } = context.servers;
  expect(await said(people.join('Stranger'), 'confirm')).toContain('No player is linked');
  const nina = await linked('Nina', 10);
  expect(await said(nina, 'confirm')).toContain('None of your players is new');

  const servers = ['Marsh', '**Fjord**', 'Untrusted'];
  for (const name of servers) {
    const serverId = await newServer(port, { name });
    if (name !== 'Untrusted') await trustChat(port, serverId);
    await eventually(() => expect(directory.get(serverId)).not.toBeNull());
    presence.report(serverId, 'agent', [{ name: 'Nina', platformId: 'minecraft:bot1', handle: 'n' }]);
    await eventually(() => expect(presence.read(serverId).players).toHaveLength(1));
  }
  const asked = await eventually(async () => {
    const told = await answer(nina, 'confirm');
    expect(buttonsOf(told)).toHaveLength(2);
    return told;
  });
  expect(isEphemeral(asked)).toBe(true);
  expect(textOf(asked)).toContain('Marsh');
  expect(textOf(asked)).not.toContain('Untrusted');
  expect(textOf(asked)).not.toContain('****Fjord****');
  const done = await press(nina, asked, 'Confirm Nina on Marsh');
  expect(textOf(done)).toContain('You can buy and link');
  expect(await said(nina, 'confirm')).not.toContain('Marsh');
  expect(await said(nina, 'confirm', {}, 'pt-BR')).toContain('é novo em');
});
