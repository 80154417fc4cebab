import { expect, test } from 'vitest';
import type { Community } from '#contracts/operations/community.ts';
import type { ApiClient } from '../api-client.ts';
import { card } from './command.ts';
import { followCommunity, signReply } from './community.ts';

const sha256 = 'ab'.repeat(32);
type Told = Pick<Community, 'name'> & { readonly logo: boolean };

/** The API as the bot reaches it; null: unreachable. */
const scripted = () => {
  let told: Told | null = { name: 'The Keep', logo: true };
  const asked: unknown[] = [];
  const api = {
    async call(_endpoint: unknown, input: { readonly query: { readonly known?: string } }) {
      asked.push(input.query);
      if (!told) throw new Error('the API does not answer');
      const picture = input.query.known === sha256 ? null : Buffer.from('pixels').toString('base64');
      return { name: told.name, logo: told.logo ? { sha256, mediaType: 'image/webp', picture } : null };
    },
  } as unknown as ApiClient;
  return {
    api,
    asked,
    tell(next: Told | null) {
      told = next;
    },
  };
};

// Guarantee: the bot asks at most once a minute and loads a logo once; while the API is unreachable, the last known answer holds.
test('what the bot knows of the community', async () => {
  const { api, asked, tell } = scripted();
  let nowMs = 0;
  const read = followCommunity(api, () => nowMs);
  const [first, second] = await Promise.all([read(), read()]);
  expect(first).toEqual({
    name: 'The Keep',
    logo: { attachment: Buffer.from('pixels'), name: 'logo-abababababababab.webp' },
  });
  expect(second).toBe(first);
  nowMs = 59_999;
  expect(await read()).toBe(first);
  expect(asked).toEqual([{}]);
  nowMs = 60_000;
  tell(null);
  expect(await read()).toBe(first);
  tell({ name: 'The Tower', logo: true });
  expect(await read()).toEqual({ ...first, name: 'The Tower' });
  nowMs = 200_000;
  tell({ name: null, logo: false });
  expect(await read()).toEqual({ name: null, logo: null });
  expect(asked).toEqual([{}, { known: sha256 }, { known: sha256 }, { known: sha256 }]);
});

const logo = { attachment: Buffer.from('pixels'), name: 'logo.webp' };
const name = 'קהילת המבצר '.repeat(16);

// Guarantee: a reply shows the community's name as Discord accepts it, and its logo where the store speaks; a reply
// without an embed, or for a community without a name, is unchanged.
test('a signed reply', () => {
  const reply = { embeds: [card({ text: 'One' }), card({ text: 'Two' })] };
  const signed = signReply(reply, { name, logo }, true);
  const [first, second] = signed.embeds ?? [];
  expect(first).toMatchObject({ description: 'One', author: { icon_url: 'attachment://logo.webp' } });
  expect(JSON.stringify(first)).toContain('קהילת המבצר');
  expect(second).toEqual(reply.embeds[1]);
  expect(signed.files).toEqual([logo]);
  expect(signReply(reply, { name, logo }, false)).toEqual({
    embeds: [{ ...reply.embeds[0], author: { name } }, reply.embeds[1]],
  });
  expect(signReply(reply, { name: null, logo }, true)).toBe(reply);
  const plain = { content: 'Something went wrong.' };
  expect(signReply(plain, { name, logo }, true)).toBe(plain);
});
