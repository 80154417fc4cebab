import {
  type APIApplicationCommandOptionChoice,
  type AttachmentPayload,
  type BaseMessageOptions,
  ButtonStyle,
  type ChatInputCommandInteraction,
  ComponentType,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
} from 'discord.js';
import type { CallInput } from '#contracts/call-input.ts';
import type { Endpoint, EndpointResponse } from '#contracts/http.ts';
import type { ApiCallOptions } from '../api-client.ts';
import { cut } from '../cut.ts';
import type { Language } from './language.ts';
import { longest } from './text.ts';

/** What someone did in Discord, with the API as it answers for that person. */
export interface Asked {
  readonly language: Language;
  /** Of the interaction: the same one is the same act. */
  readonly id: string;
  readonly userId: string;
  /** As the person. */
  readonly api: Call;
  /** As the bot, for what everyone on the Discord server may see. */
  readonly botApi: Call;
}
type Call = <const E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  options?: Omit<ApiCallOptions, 'signal' | 'user'>,
) => Promise<EndpointResponse<E>>;

/** Of an act whose answer may take its time. */
export interface AskedAct extends Asked {
  /** Shows how far it is, in the place of the answer that is to come; never fails. */
  readonly tell: (reply: Reply) => Promise<void>;
  /** Aborted when the bot ends: what waits then stops. */
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
  /** What stands in another option so far; null: nothing. */
  readonly option: (name: string) => string | null;
}

export type Reply = Pick<BaseMessageOptions, 'content' | 'embeds' | 'components'> & {
  readonly files?: AttachmentPayload[];
};

export interface Button {
  /** `update`: it changes its message. `reply`: a new one that only who pressed it sees. */
  readonly answers: 'update' | 'reply';
  /** Until its answer is shown, no other button of the message counts. */
  readonly isDecision?: true;
  press(asked: AskedAct, values: readonly string[]): Promise<Reply>;
}

/** One file each; the frame is answer-commands.ts. */
export interface BotCommand {
  readonly definition: RESTPostAPIChatInputApplicationCommandsJSONBody;
  /** Only who typed it sees the answer. */
  readonly isPrivate: boolean;
  run(asked: AskedCommand): Promise<Reply>;
  /** Of options with autocomplete. */
  complete?(asked: AskedChoices): Promise<readonly APIApplicationCommandOptionChoice<string>[]>;
  /** By the second part of their id: `command|button|values…`. */
  readonly buttons?: Readonly<Record<string, Button>>;
}

const brand = 0x3b82f6;

export interface Card {
  readonly title?: string;
  readonly text: string;
  readonly footer?: string;
  readonly thumbnail?: string;
}

export const card = ({ title, text, footer, thumbnail }: Card, most: number = longest.description) => ({
  color: brand,
  ...(title !== undefined && { title: cut(title, longest.title) }),
  description: cut(text, most),
  ...(footer !== undefined && { footer: { text: cut(footer, longest.title) } }),
  ...(thumbnail !== undefined && { thumbnail: { url: thumbnail } }),
});

export const says = (text: string): Reply => ({ embeds: [card({ text })], components: [] });

interface ButtonLook {
  readonly label: string;
  readonly style?: ButtonStyle.Primary | ButtonStyle.Secondary | ButtonStyle.Success | ButtonStyle.Danger;
  readonly disabled?: boolean;
}

/** @param id its values must fit: 100 characters in all */
export const button = (id: readonly string[], look: ButtonLook) => ({
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

/** A number of someone's page, from an id of ours. */
export const pageOf = (value: string | undefined): number => Math.max(0, Number(value) || 0);

/** Back and forth, where there is more than one page. @param id of the buttons, whose last value is the page */
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
