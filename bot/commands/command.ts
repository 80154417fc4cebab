import {
  type APIApplicationCommandOptionChoice,
  type AttachmentPayload,
  type BaseMessageOptions,
  ButtonStyle,
  type ChatInputCommandInteraction,
  ComponentType,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
} from 'discord.js';
import type { CallInput } from '#contracts/kernel/call-input.ts';
import type { EndpointResponse } from '#contracts/kernel/http.ts';
import type { ApiCallOptions } from '../api-client.ts';
import { cut } from '../cut.ts';
import type { WordedEndpoint } from './faults.ts';
import type { Language } from './language.ts';
import { longest } from './text.ts';

/** What someone did in Discord, with the API as that person may use it. */
export interface Asked {
  readonly language: Language;
  /** The interaction's id: the same id is the same act. */
  readonly id: string;
  readonly userId: string;
  /** Calls as the person. */
  readonly api: Call;
  /** Calls as the bot, for what everyone on the Discord server may see. */
  readonly botApi: Call;
}
type Call = <const E extends WordedEndpoint>(
  endpoint: E,
  input: CallInput<E>,
  options?: Omit<ApiCallOptions, 'signal' | 'user'>,
) => Promise<EndpointResponse<E>>;

/** An act whose answer may take a while. */
export interface AskedAct extends Asked {
  /** Shows the progress in place of the answer that follows; never fails. */
  readonly tell: (reply: Reply) => Promise<void>;
  /** Aborted when the bot ends, and ends any wait. */
  readonly signal: AbortSignal;
}

export interface AskedCommand extends AskedAct {
  readonly options: Pick<
    ChatInputCommandInteraction['options'],
    'getString' | 'getInteger' | 'getUser' | 'getMember'
  >;
}
export interface AskedChoices extends Asked {
  readonly focused: { readonly name: string; readonly value: string };
  /** The current value of another option; null: empty. */
  readonly option: (name: string) => string | null;
}

export type Reply = Pick<BaseMessageOptions, 'content' | 'embeds' | 'components'> & {
  readonly files?: AttachmentPayload[];
};

export interface Button {
  /** `update`: changes its message. `reply`: a new message that only the person who pressed the button sees. */
  readonly answers: 'update' | 'reply';
  /** Until its answer is shown, the message's other buttons do nothing. */
  readonly isDecision?: true;
  press(asked: AskedAct, values: readonly string[]): Promise<Reply>;
}

/** A slash command; answer-commands.ts runs it. */
export interface BotCommand {
  readonly definition: RESTPostAPIChatInputApplicationCommandsJSONBody;
  /** Only the person who typed the command sees the answer. */
  readonly isPrivate: boolean;
  /** Speaks for the store, so the answer shows the community's logo. */
  readonly isStore?: true;
  run(asked: AskedCommand): Promise<Reply>;
  /** For options with autocomplete. */
  complete?(asked: AskedChoices): Promise<readonly APIApplicationCommandOptionChoice<string>[]>;
  /** Keyed by the second part of the button's id: `command|button|values…`. */
  readonly buttons?: Readonly<Record<string, Button>>;
}

const brand = 0x3b82f6;

export const card = (
  {
    title,
    text,
    footer,
    thumbnail,
  }: {
    readonly title?: string;
    readonly text: string;
    readonly footer?: string;
    readonly thumbnail?: string;
  },
  most: number = longest.description,
) => ({
  color: brand,
  ...(title !== undefined && { title: cut(title, longest.title) }),
  description: cut(text, most),
  ...(footer !== undefined && { footer: { text: cut(footer, longest.title) } }),
  ...(thumbnail !== undefined && { thumbnail: { url: thumbnail } }),
});

export const says = (text: string): Reply => ({ embeds: [card({ text })], components: [] });

/** @param id the whole id must fit into 100 characters */
export const button = (
  id: readonly string[],
  look: {
    readonly label: string;
    readonly style?: ButtonStyle.Primary | ButtonStyle.Secondary | ButtonStyle.Success | ButtonStyle.Danger;
    readonly disabled?: boolean;
  },
) => ({
  type: ComponentType.Button as const,
  custom_id: id.join('|'),
  style: ButtonStyle.Secondary as const,
  ...look,
  label: cut(look.label, 80),
});

export const row = (components: ReturnType<typeof button>[]) => ({
  type: ComponentType.ActionRow as const,
  components,
});

/** The page number in a button's id. */
export const pageOf = (value: string | undefined): number => Math.max(0, Number(value) || 0);

/** Back and forward, if there is more than one page. @param id of the buttons; the page is appended as its last value */
export const pageButtons = (id: readonly string[], page: number, pages: number) =>
  pages <= 1
    ? []
    : [
        row([
          button([...id, String(page - 1)], { label: '◀', disabled: page === 0 }),
          button([...id, 'here'], { label: `${page + 1} / ${pages}`, disabled: true }),
          button([...id, String(page + 1)], { label: '▶', disabled: page >= pages - 1 }),
        ]),
      ];
