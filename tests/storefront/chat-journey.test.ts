import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Language } from '#contracts/kernel/language.ts';
import { settingsHttp } from '#contracts/operations/settings.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { apiDatabase } from '../../server/kernel/testing/api-database.ts';
import { call } from '../../server/kernel/testing/call.ts';
import { grantPoints } from '../../server/kernel/testing/store-rows.ts';
import { startTestApi, type TestApi, testDesktopCredential } from '../../server/kernel/testing/test-api.ts';
import { whenInUse } from '../../server/kernel/testing/when-in-use.ts';
import { longestAnswer } from '../../server/storefronts/chat-commands/typed-text.ts';
import { randomOf } from '../bench/harness/seeded-random.ts';
import { addProducts, customersOf, play } from './chat-journey.ts';
import { type Market, openMarket, openShop } from './chat-market.ts';

const owned = new AsyncDisposableStack();
let api: TestApi;
let market: Market;
beforeAll(async () => {
  const folder = owned.use(await temporaryFolder('journey'));
  const { url: databaseUrl } = owned.use(await apiDatabase());
  // With the workers, so that purchases are delivered.
  api = owned.use(await startTestApi({ databaseUrl, home: folder.path, pollingIntervalMs: 200 }));
  await whenInUse(api);
  const { database, people } = api.context;
  market = {
    shop: {
      port: api.port,
      tell: (serverId, event) => void people.presence.observe(serverId, [event]),
      steadily: (work) => work(),
    },
    pool: database.pool,
    random: randomOf(7),
  };
  await openShop(market);
}, 120_000);
afterAll(() => owned.disposeAsync());

const speak = async (language: Language) => {
  const { json } = await call(api.port, settingsHttp.list, { as: testDesktopCredential });
  const sections = json.sections as { name: string; version: number }[];
  const version = sections.find(({ name }) => name === 'general')?.version ?? 0;
  const changed = await call(api.port, settingsHttp.change, {
    as: testDesktopCredential,
    params: { section: 'general' },
    body: { version, values: { language } },
  });
  if (changed.status !== 200) throw new Error(changed.text);
};

let people = 0;
const discordId = async (name: string): Promise<string> => {
  people += 1;
  const id = String(300_000_000_000_000_000n + BigInt(people));
  const { db } = api.context.database;
  const username = `${name.toLowerCase()}.plays`;
  await db
    .insertInto('discord_guild_members')
    .values({
      discord_id: id,
      name,
      name_key: name.toLowerCase(),
      username,
      is_bot: false,
      seen_in: 'r',
    } as never)
    .execute();
  return id;
};

/** The answers that players get in every game; digits of a whispered number are `#`. */
const told = {
  en: [
    'Commands: !shop (what is for sale), !buy CODE, !points (your balance), !claim (what waits for you)',
    'There are 2 pages.',
    'Type !buy CODE, or !buy CODE 2 for two. Codes: !shop',
    '2x Gift box: 60 points. To buy it, type !buy ######',
    'Bought 2x Gift box for 60 points. You have 99,940 left.',
    'The price has changed. 3x Stone: 42 points now. To buy it, type !buy ######',
    'Bought 3x Stone for 42 points. You have 99,958 left.',
    'Not bought: it costs 250,000 points, and you have 100,000.',
    'There is no such product here. See !shop',
    'Not bought: it is sold out.',
    'Several products match that. Type the code from !shop',
    'The amount must be 1 to 1,000.',
    'Not bought: each player can get 1, and you have had 1.',
    'This number is wrong or too old. Ask again to get a new one.',
    'Linked. / Vinculado.',
    'Already linked to Discord. / Já vinculado ao Discord.',
    'That was too fast. Wait # seconds before you type the next command.',
    'Nothing is waiting for you.',
    'You have 100,000 points.',
  ],
  'pt-BR': [
    'Comandos: !loja (o que está à venda), !comprar CÓDIGO, !pontos (seu saldo), !resgatar (o que espera por você)',
    'Há 2 páginas.',
    'Digite !comprar CÓDIGO, ou !comprar CÓDIGO 2 para dois. Códigos: !loja',
    '2x Gift box: 60 pontos. Para comprar, digite !comprar ######',
    'Comprado: 2x Gift box por 60 pontos. Você ainda tem 99.940.',
    'O preço mudou. 3x Stone: agora 42 pontos. Para comprar, digite !comprar ######',
    'Comprado: 3x Stone por 42 pontos. Você ainda tem 99.958.',
    'Não comprado: custa 250.000 pontos e você tem 100.000.',
    'Não há esse produto aqui. Veja !loja',
    'Não comprado: está esgotado.',
    'Vários produtos combinam com isso. Digite o código que aparece em !loja',
    'A quantidade deve ser de 1 a 1.000.',
    'Não comprado: cada jogador pode receber 1 e você já recebeu 1.',
    'Este número está errado ou expirou. Peça de novo para receber outro.',
    'Linked. / Vinculado.',
    'Already linked to Discord. / Já vinculado ao Discord.',
    'Rápido demais. Espere # segundos antes de digitar o próximo comando.',
    'Nada espera por você.',
    'Você tem 100.000 pontos.',
  ],
} as const;
/** Only in ARK, where a gift needs a survivor number. */
const toldInArk = {
  en: [
    'To receive it, enter your survivor number first. Type !survivor',
    'One delivery needs your survivor number. Type !survivor',
    'Your survivor number is on the implant in your inventory. Type it: !survivor 123456789',
    'Your survivor number is stored. What waits for you is on its way.',
  ],
  'pt-BR': [
    'Para receber, informe antes seu número de sobrevivente. Digite !sobrevivente',
    'Uma entrega precisa do seu número de sobrevivente. Digite !sobrevivente',
    'Seu número de sobrevivente está no implante do seu inventário. Digite: !sobrevivente 123456789',
    'Seu número de sobrevivente foi salvo. O que espera por você está a caminho.',
  ],
} as const;

// Guarantee: in every game and in both languages a player can use all of the shop by chat alone, gets the same answers in each, in
// complete lines that no one else sees, and finally has what was bought.
test.each(['en', 'pt-BR'] as const)(
  'players do everything by chat: %s',
  async (language) => {
    await using opened = new AsyncDisposableStack();
    await speak(language);
    const { shops } = await openMarket(market, opened);
    for (const stall of shops) {
      await addProducts(api, stall);
      await stall.gather(customersOf(language));
      for (const memberId of stall.members.values()) await grantPoints(market.pool, memberId, 100_000);
      const transcript = await play(api, stall, language, discordId);
      const folder = process.env.CASTELLAN_TEST_TRANSCRIPTS;
      if (folder) await writeFile(join(folder, `chat-${stall.game}-${language}.md`), transcript.text);
      expect(transcript.overheard).toEqual([]);
      const wanted = [...told[language], ...(stall.game === 'ark-asa' ? toldInArk[language] : [])];
      const answers = [...transcript.answers];
      expect(wanted.filter((text) => !answers.some((answer) => answer.startsWith(text)))).toEqual([]);
      expect(answers.filter((answer) => answer.length > longestAnswer || answer.endsWith('…'))).toEqual([]);
    }
  },
  180_000,
);
