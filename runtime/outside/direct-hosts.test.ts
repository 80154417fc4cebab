import { expect, test } from 'vitest';
import { isDirect } from './direct-hosts.ts';

const isDirectTo = (noProxy: string, host: string) => isDirect(new URL(`https://${host}/`), noProxy);

// Guarantee: this machine and its network are reached without the proxy, whatever is set.
test.each([
  'localhost',
  '127.0.0.1',
  '[::1]',
  '192.168.1.5',
  '10.1.2.3',
  '[fd00::1]',
  '[fe80::1]',
  'nas',
  'nas.local',
  'panel.fritz.home.arpa',
  'git.corp',
  'x.localhost',
  '169.254.1.1',
  '[::ffff:127.0.0.1]',
])('%s', (host) => expect(isDirectTo('', host)).toBe(true));

// Guarantee: NO_PROXY is read in the forms of curl, Node, Go and Windows (about.gitlab.com, "We need to talk: can we standardize
// NO_PROXY?").
test.each([
  ['*', 'discord.com', true],
  ['discord.com', 'discord.com', true],
  ['discord.com', 'gateway.discord.com', true],
  ['discord.com', 'notdiscord.com', false],
  ['.discord.com', 'cdn.discord.com', true],
  ['*.discord.com', 'cdn.discord.com', true],
  ['example.org, DISCORD.com.evil', 'discord.com', false],
  ['example.org;Discord.com', 'discord.com.', true],
  ['discord.com:443', 'discord.com', true],
  ['discord.com:8443', 'discord.com', false],
  ['discord.com:8443', 'discord.com:8443', true],
  ['8.8.8.8', '8.8.8.8', true],
  ['8.8.0.0/16', '8.8.4.4', true],
  ['8.8.0.0/16', '8.9.4.4', false],
  ['8.8.0.0/99', '8.8.4.4', false],
  ['8.8.*', '8.8.4.4', true],
  ['8.8.*', '18.8.4.4', false],
  ['[2606:4700::1]', '[2606:4700::1]', true],
  ['2606:4700::1', '[2606:4700:0::1]', true],
  ['2606:4700::/32', '[2606:4700::2]', true],
  ['[2606:4700::1]:444', '[2606:4700::1]', false],
  // https://learn.microsoft.com/troubleshoot/developer/browsers/connectivity-navigation/how-to-use-proxy-exceptions-list
  ['*discord.com', 'cdn.discord.com', true],
  ['*discord.com', 'discord.com', true],
  ['cdn-*.discord.com', 'cdn-eu.discord.com', true],
  ['cdn-*.discord.com', 'api.discord.com', false],
  ['*.discord*', 'gateway.discord.gg', true],
  ['https://discord.com', 'discord.com', true],
  ['http://*.discord.com/', 'cdn.discord.com', true],
  ['8.*.4.*', '8.8.4.4', true],
  ['https://', 'discord.com', false],
  ['<local>', 'discord.com', false],
  ['.', 'discord.com', false],
  ['/', 'discord.com', false],
])('NO_PROXY=%s for %s', (noProxy, host, expected) => expect(isDirectTo(noProxy, host)).toBe(expected));
