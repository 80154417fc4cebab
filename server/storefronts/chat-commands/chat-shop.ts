import type { Kysely } from 'kysely';
import * as z from 'zod';
import type { MemberDetails } from '#contracts/people/members.ts';
import type { Product } from '#contracts/store/store.ts';
import type { Log } from '#runtime/log.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { isRefusal, type Refusal } from '../../kernel/http/refusal.ts';
import { type AccountCommandsOptions, createAccountCommands } from './account-commands.ts';
import { type Asking, createAsking } from './asking.ts';
import { type BuyCommandOptions, createBuyCommand } from './buy-command.ts';
import { actingPlayer } from './chat-actor.ts';
import {
  type ChatCommand,
  type ChatCommands,
  type ChatCommandsOptions,
  type ChatLine,
  createChatCommands,
} from './chat-commands.ts';
import { type ChatRules, type ChatSettings, chatLanguage, readChatRules } from './chat-rules.ts';
import type { ChatWords } from './chat-words.ts';
import { createConfirmations } from './confirmations.ts';
import { readLastPurchase, readPurchaseOf } from './last-purchase.ts';
import { createLinkCommand, type LinkCommandOptions } from './link-command.ts';
import { isNumber } from './parse-command.ts';
import { createPrivateAnswers, type PrivateAnswers, type PrivateAnswersOptions } from './private-answers.ts';
import {
  createShownLists,
  entriesText,
  type ListedProduct,
  pagesOf,
  productsOn,
  type ShownLists,
} from './shop-list.ts';
import { shownName } from './typed-text.ts';

interface Redeemed {
  readonly points: number;
  readonly name: string;
  readonly balance: number;
}

interface RedeemCommandOptions {
  readonly ofPlayer: (playerId: string) => Promise<MemberDetails | Refusal>;
  readonly redeem: (
    memberId: string,
    code: string,
    by: AuditContext,
    asked: { readonly key: string; readonly isProven: boolean },
  ) => Promise<Redeemed | Refusal>;
  readonly answers: PrivateAnswers;
  readonly rules: () => Promise<ChatRules>;
}

/**
 * `!redeem CODE` redeems immediately, also by a line with only a name: everyone has read the code, and the first to use
 * it gets it. A line redeems at most once.
 */
const createRedeemCommand = (options: RedeemCommandOptions): ChatCommand => {
  const { ofPlayer, redeem, answers, rules } = options;
  return {
    name: 'redeem',
    async run(line, argument) {
      const words = await answers.words();
      if (argument === '') {
        const { typed } = await rules();
        return void (await answers.tell(line, words.howToRedeem(typed('redeem'))));
      }
      const member = await ofPlayer(line.playerId);
      if (isRefusal(member)) return;
      const redeemed = await redeem(member.id, argument, actingPlayer(line), {
        key: `chat:${line.key}`,
        isProven: line.isProven,
      });
      if (isRefusal(redeemed)) return void (await answers.tell(line, refusalText(redeemed, words)));
      const { points, name, balance } = redeemed;
      await answers.report(line, words.redeemed(points, shownName(name), balance));
    },
  };
};

const refusalText = ({ refused }: Refusal, words: ChatWords): string => {
  if (refused === 'REWARD_CODE_INVALID') return words.codeWrong;
  if (refused === 'LIMIT_REACHED') return words.codeUsed;
  return refused === 'RATE_LIMITED' ? words.tooManyCodes : words.notRedeemed;
};

/** The owner's words may be so long that they would leave no room for products. */
const longestHint = 60;

/** `!shop [page]` whispers what is for sale, a line at a time. */
const createShopCommand = ({
  answers,
  rules,
  products,
  shown,
  now,
}: {
  readonly answers: PrivateAnswers;
  readonly rules: () => Promise<ChatRules>;
  readonly products: (serverId: string) => Promise<readonly ListedProduct[]>;
  readonly shown: ShownLists;
  readonly now: () => number;
}): ChatCommand => ({
  name: 'shop',
  async run(line: ChatLine, argument) {
    const words = await answers.words();
    const { productsPerPage, typed } = await rules();
    const hintOf = (more: string | null) => {
      const hint = words.pageHint(typed('buy'), more);
      return hint.length <= longestHint ? hint : '';
    };
    const tailRoom = hintOf(`${typed('shop')} 999`).length;
    const pages = pagesOf(await products(line.serverId), productsPerPage, words, tailRoom);
    if (pages.length === 0) return void (await answers.tell(line, words.nothingForSale));
    const wanted = argument === '' ? 1 : Number(/^\d{1,4}$/.exec(argument)?.[0] ?? 0);
    const page = pages[wanted - 1];
    if (!page) return void (await answers.tell(line, words.noSuchPage(pages.length)));
    const sentMs = now();
    const hint = hintOf(wanted < pages.length ? `${typed('shop')} ${wanted + 1}` : null);
    const text = words.page(wanted, pages.length, entriesText(page)) + hint;
    const reach = await answers.tell(line, text);
    if (reach !== 'not') shown.show(line, page, sentMs);
  },
});

interface SurvivorCommandOptions {
  readonly isArk: (serverId: string) => boolean;
  /** Whether the number is known, or the server's agent can read it. */
  readonly isKnown: (player: Pick<ChatLine, 'playerId' | 'serverId'>) => Promise<boolean>;
  /** Stores the number, together with the work in the same transaction. @returns the member whose deliveries may continue */
  readonly store: (
    playerId: string,
    survivor: { readonly serverId: string; readonly number: string },
    by: AuditContext,
    alongside: (trx: Kysely<Tables>) => Promise<Refusal | null>,
  ) => Promise<string | Refusal>;
  readonly wake: (memberIds: readonly string[]) => void;
  readonly asking: Asking;
  readonly answers: PrivateAnswers;
  readonly rules: () => Promise<ChatRules>;
}

const askedNumber = z.object({ number: z.string() });
const survivorNumber = /^[1-9]\d{0,9}$/;
const questionMs = 300_000;

/**
 * `!survivor` tells a player of ARK where to find the number of their survivor, `!survivor NUMBER` takes it, and stores
 * it after the number that was whispered came back: gifts of the account go to that survivor.
 */
const createSurvivorCommand = (options: SurvivorCommandOptions): ChatCommand => {
  const { isArk, isKnown, store, wake, asking, answers, rules } = options;

  const confirm = async (line: ChatLine, typed: string): Promise<void> => {
    const words = await answers.words();
    const question = await asking.answered(line, 'survivor', typed);
    if (!question) return;
    const { number } = askedNumber.parse(question.asked);
    const { playerId, serverId } = line;
    const stored = await store(playerId, { serverId, number }, actingPlayer(line), (trx) =>
      asking.spend(trx, question.id),
    );
    if (!isRefusal(stored)) {
      wake([stored]);
      await answers.tell(line, words.survivorStored);
    } else if (stored.refused === 'CONFLICT') await answers.tell(line, words.wrongNumber);
    else {
      await asking.close(question.id);
      await answers.tell(line, words.survivorRefused);
    }
  };

  return {
    name: 'survivor',
    needsTrust: true,
    async run(line, argument) {
      const words = await answers.words();
      const { typed } = await rules();
      const command = typed('survivor');
      if (!isArk(line.serverId)) return void (await answers.tell(line, words.survivorElsewhere));
      // A survivor's number may have six digits, too: while a question is open, six digits answer it.
      if (isNumber(argument) && (await asking.isAsked(line, 'survivor'))) return confirm(line, argument);
      if (survivorNumber.test(argument)) {
        const question = {
          command: 'survivor',
          asked: { number: argument },
          lifetimeMs: questionMs,
        } as const;
        return void (await asking.ask(line, question, (number) =>
          words.survivorQuestion(argument, `${command} ${number}`),
        ));
      }
      const how = words.survivorHow(command);
      await answers.tell(line, (await isKnown(line)) ? words.survivorKnown(how) : how);
    },
  };
};

interface ChatShopOptions
  extends Pick<PrivateAnswersOptions, 'whisper' | 'say'>,
    Pick<AccountCommandsOptions, 'deliveries' | 'claimExtras'> {
  readonly db: Kysely<Tables>;
  readonly settings: ChatSettings;
  readonly server: (
    id: string,
  ) => { readonly id: string; readonly clusterId: string; readonly game: string } | null;
  readonly forSale: () => Promise<readonly Product[]>;
  readonly members: LinkCommandOptions['members'];
  readonly orders: BuyCommandOptions['orders'];
  readonly redeem: RedeemCommandOptions['redeem'];
  readonly survivor: Pick<SurvivorCommandOptions, 'isKnown' | 'store'>;
  readonly statusOf: ChatCommandsOptions['statusOf'];
  readonly licenseHolds: () => boolean;
  readonly now?: () => number;
  readonly log: Log;
}

interface ChatShop extends ChatCommands {
  /** Deletes questions that were not answered in time. @returns how many */
  deleteExpired(): Promise<number>;
}

/** Everything that players type to Castellan in the chat of their games. */
export const createChatShop = (options: ChatShopOptions): ChatShop => {
  const { db, settings, server, forSale, members, orders, deliveries, log, now = Date.now } = options;
  const { ofPlayer } = members;
  const rules = () => readChatRules(settings);
  const answers = createPrivateAnswers({
    whisper: options.whisper,
    say: options.say,
    language: () => chatLanguage(settings),
    mayBroadcast: async () => (await rules()).mayBroadcast,
    log,
  });
  const confirmations = createConfirmations(db, now);
  const asking = createAsking({ confirmations, answers, now });
  const shown = createShownLists(now);
  const products = async (serverId: string) => {
    const found = server(serverId);
    return found ? productsOn(await forSale(), found) : [];
  };
  const isArk = (serverId: string) => server(serverId)?.game.startsWith('ark') === true;
  const common = { ofPlayer, asking, answers, rules, products, shown, isArk, now };
  const chatCommands = createChatCommands({
    commands: [
      createShopCommand(common),
      createBuyCommand({
        ...common,
        orders,
        lastPurchase: (line, since) => readLastPurchase(db, line, since),
        purchaseOf: (line) => readPurchaseOf(db, line),
        isSurvivorKnown: options.survivor.isKnown,
      }),
      ...createAccountCommands({ ...common, deliveries, claimExtras: options.claimExtras }),
      createRedeemCommand({ ...common, redeem: options.redeem }),
      createLinkCommand({ ...common, members }),
      createSurvivorCommand({
        ...common,
        isKnown: options.survivor.isKnown,
        store: options.survivor.store,
        wake: deliveries.wake,
      }),
    ],
    rules,
    mayAct: options.licenseHolds,
    statusOf: options.statusOf,
    async tellDistrusted(line, status) {
      await answers.tell(line, (await answers.words())[status]);
    },
    async tellTooFast(line, waitMs) {
      await answers.tell(line, (await answers.words()).tooFast(Math.ceil(waitMs / 1000)));
    },
    now,
    log,
  });
  return { ...chatCommands, deleteExpired: confirmations.deleteExpired };
};
