import { discordUsersHttp } from '#contracts/discord/discord-users.ts';
import type { Language } from '#contracts/kernel/language.ts';
import type { GameId } from '#contracts/servers/games.ts';
import { deliveriesHttp } from '#contracts/store/deliveries.ts';
import { productDraft } from '#contracts/store/store.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { eventually } from '#harness/eventually.ts';
import { call } from '../../server/kernel/testing/call.ts';
import { asDiscord } from '../../server/kernel/testing/discord-user.ts';
import { type TestApi, testDesktopCredential } from '../../server/kernel/testing/test-api.ts';
import type { Stall } from './chat-market.ts';
import { type Transcript, writeTranscript } from './transcript.ts';

const owner = { as: testDesktopCredential };

/** The words that a player types in each language; the rest of a line is the same. */
const typedWords = {
  en: { shop: '!shop', buy: '!buy', points: '!points', claim: '!claim', link: '!link', help: '!help' },
  'pt-BR': {
    shop: '!loja',
    buy: '!comprar',
    points: '!pontos',
    claim: '!resgatar',
    link: '!vincular',
    help: '!ajuda',
  },
} as const;
const survivorWords = { en: '!survivor', 'pt-BR': '!sobrevivente' } as const;

const items = {
  minecraft: 'minecraft:diamond',
  'ark-asa':
    "Blueprint'/Game/PrimalEarth/CoreBlueprints/Resources/PrimalItemResource_Stone.PrimalItemResource_Stone'",
  'seven-days-to-die': 'resourceWood',
} as const;

const itemOf = (game: GameId): string => items[game as keyof typeof items];

/** The players of each scene; no one says more lines in a scene than the rate limit allows. */
const cast = {
  en: ['Heron', 'Otter', 'Wren', 'Finch', 'Robin', 'Lark', 'Swift', 'Jay', 'Dipper', 'Plover'],
  'pt-BR': ['Bruno', 'Clara', 'Davi', 'Elisa', 'Fabio', 'Gabriela', 'Hugo', 'Ines', 'Joana', 'Kaua'],
} as const;
export const customersOf = (language: Language): readonly string[] => cast[language];

/** Creates the owner's products. */
export const addProducts = async ({ port }: Pick<TestApi, 'port'>, stall: Stall): Promise<void> => {
  const add = async (draft: object): Promise<void> => {
    const body = productDraft.parse({
      game: stall.game,
      serverIds: [stall.serverId],
      lines: [{ kind: 'item', item: itemOf(stall.game), quantity: 5 }],
      isEnabled: true,
      ...draft,
    });
    const made = await call(port, storeHttp.create, { ...owner, body });
    if (made.status !== 200) throw new Error(made.text);
  };
  await add({ name: 'Builder’s crate with everything for a first house', price: 1250, category: 'Crates' });
  await add({ name: 'Castle', price: 250_000, category: 'Crates' });
  await add({ name: 'Statue', price: 40, stock: 0, category: 'Rare' });
  await add({ name: 'Starter kit', price: 1, limits: { perMember: 1 } });
  await add({ name: 'Gift box', price: 30 });
};

/** Players of one game use every chat command. @param discordId of a person on the Discord server with a player's name */
export const play = async (
  api: Pick<TestApi, 'port'>,
  stall: Stall,
  language: Language,
  discordId: (name: string) => Promise<string>,
): Promise<Transcript> => {
  const transcript = writeTranscript(stall);
  const { title, note, says, receives } = transcript;
  const typed = typedWords[language];
  const survivor = survivorWords[language];
  const isArk = stall.game === 'ark-asa';
  const [looker, buyer, hesitant, poor, guesser, linker, discordian, chatty, last, curious] = cast[language];
  const numberOf = (text: string) => /(\d{6})$/.exec(text)?.[1] ?? '';

  title('Looking around');
  for (const text of [typed.help, typed.shop, `${typed.shop} 2`, `${typed.shop} 9`, typed.points])
    await says(looker, text);

  title('Asking how');
  for (const text of [typed.buy, `${typed.link} 123456`, survivor]) await says(curious, text);

  title('Buying');
  const asked = await says(buyer, `${typed.buy} gift 2`);
  await says(buyer, `${typed.buy} ${numberOf(asked)}`, isArk ? 2 : 1);
  if (isArk) await untilNumberIsMissed(api, stall, buyer);
  else await receives(buyer, itemOf(stall.game), 10);
  await says(buyer, typed.claim);
  if (isArk) {
    const number = stall.world.players.find((player) => player.name === buyer)?.numericId ?? 0;
    const question = await says(buyer, `${survivor} ${number}`);
    await says(buyer, `${survivor} ${numberOf(question)}`);
    await receives(buyer, itemOf(stall.game), 10);
  }

  title('A price that changes');
  const seen = await says(hesitant, stall.isProven ? typed.shop : `${typed.buy} stone 3`);
  note('The owner changes the price from 10 to 14.');
  await stall.reprice(14);
  const again = stall.isProven ? 'stone 3' : numberOf(seen);
  const second = await says(hesitant, `${typed.buy} ${again}`);
  await says(hesitant, `${typed.buy} ${numberOf(second)}`);
  await stall.reprice(10);

  title('What cannot be bought');
  for (const text of ['castle', 'unicorn', 'statue', 'st', 'stone 5000'])
    await says(poor, `${typed.buy} ${text}`);

  title('Limits and wrong numbers');
  // An API that has just started knows no price that this player was told.
  if (stall.isProven) await says(guesser, typed.shop);
  const kit = await says(guesser, `${typed.buy} starter kit`);
  if (!stall.isProven) await says(guesser, `${typed.buy} ${numberOf(kit)}`, isArk ? 2 : 1);
  await says(guesser, `${typed.buy} starter kit`);
  await says(guesser, `${typed.buy} 000000`);

  title('Linking Discord');
  await says(linker, typed.link);
  const id = await discordId(discordian);
  const issued = await call(api.port, discordUsersHttp.linkCode, asDiscord({ id }));
  note(`${discordian} asks in Discord for a code: ${issued.json.code}`);
  const whose = await says(discordian, `${typed.link} ${issued.json.code}`);
  await says(discordian, `${typed.link} ${numberOf(whose)}`);
  await says(discordian, typed.link);
  await says(discordian, `${typed.link} ABCD1234`);

  title('Too much at once');
  // All at the same time: a player may say one more line every ten seconds.
  const { points, help, claim, shop, buy } = typed;
  await says(chatty, [points, help, claim, buy, shop, `${shop} 1`, `${shop} 2`], 6);
  await says(last, typed.points);
  await says(last, typed.claim);
  return transcript;
};

/** Waits until the queue has tried to deliver it and found that the survivor number is missing. */
const untilNumberIsMissed = ({ port }: Pick<TestApi, 'port'>, stall: Stall, name: string) =>
  eventually(async () => {
    const { json } = await call(port, deliveriesHttp.list, owner);
    const rows = json.rows as { readonly memberId: string; readonly waitsFor: string | null }[];
    const own = rows.find(({ memberId }) => memberId === stall.members.get(name));
    if (own?.waitsFor !== 'survivor-number') throw new Error('the delivery has not been tried yet');
  }, 60_000);
