import { expect, test } from 'vitest';
import { discordTokenField, pastedDiscordId } from './discord-application.ts';

const token = 'MTE5ODYyMjQ4MzQ3MTkyNTI0OA.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs';
const id = '1198622483471925248';

// Guarantee: what comes along with a pasted token is taken off (arjunattam/vscode-chat#239: quotes, thomasloupe/Slackord#18 and
// Rapptz/discord.py#2135: line breaks, not-ilinked/Anarchy#3215: "Bot"); what is no token stays refused.
test.each([
  ` ${token}\n`,
  `"${token}"`,
  `“${token}”.`,
  `Bot ${token}`,
  `"Bot ${token}",`,
  `DISCORD_BOT_TOKEN=${token}`,
  `"token": "${token}",`,
  `\uFEFF${token}\u200B`,
  `${token.slice(0, 30)}\r\n${token.slice(30)}`,
  `client.login('${token}');`,
  `{"token":"${token}"}`,
  `"bot": {"token": "${token}", "prefix": "!"}`,
  `Authorization: Bot ${token}`,
  `Token: ${token} (keep it secret).`,
  `${token}\n${token}`,
])('a token as %j', (pasted) => {
  expect(discordTokenField.parse(pasted)).toBe(token);
});

test('no token', () => {
  const another = token.replace('M', 'N');
  for (const text of [
    '',
    'Bot',
    token.replaceAll('.', ','),
    `${token} ${another}`,
    `${token}.x`,
    'x'.repeat(3000),
  ])
    expect(discordTokenField.safeParse(text).success).toBe(false);
});

// Guarantee: an id is found in what Discord copies and shows; two different ones are not chosen from.
test.each([
  [` ${id} `, id],
  [`"${id}"`, id],
  [`<@&${id}>`, id],
  [`https://discord.com/channels/${id}/1198622483471925999`, id],
  [`https://discord.com/developers/applications/${id}/bot`, id],
  [`https://discord.com/oauth2/authorize?client_id=${id}&scope=bot`, id],
  [`Server ID: ${id}`, id],
  [`${id} 1198622483471925999`, `${id} 1198622483471925999`],
  ['my server', 'my server'],
  ['1198', '1198'],
])('an id in %j', (pasted, found) => {
  expect(pastedDiscordId(pasted)).toBe(found);
});
