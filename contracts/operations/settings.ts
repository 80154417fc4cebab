import * as z from 'zod';
import { changeProblems, endpoint } from '../kernel/http.ts';
import { rowVersion } from '../kernel/row-version.ts';
import { longestCountdown } from '../servers/agent-tasks.ts';
import { leastDaysKept } from './backups.ts';
import { publicAddressText } from './public-address.ts';
import { secretFaults } from './secrets.ts';
import {
  type PlainField,
  plain,
  type Section,
  type SensitiveField,
  sensitive,
  type Words,
  words,
} from './settings-fields.ts';

const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    // Intl throws for an unknown zone.
    return false;
  }
};

/** In any script and with emoji; no control characters, and none that change the text direction around it. */
const communityName = z
  .string()
  .normalize('NFC')
  .trim()
  .regex(
    /^(?=.*[\p{L}\p{N}\p{P}\p{S}])[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\u200c-\u200f\u{e0020}-\u{e007f}]{1,200}$/u,
    'must be a name of 1 to 200 characters without control characters',
  )
  .meta({ minLength: 1, maxLength: 200 });

/** Printable ASCII without spaces: what a header can carry. */
const serviceKey = z
  .string()
  .min(8)
  .max(500)
  .regex(/^[!-~]+$/, 'must be printable and without spaces');

/** What players type after the prefix; each word belongs to one command. */
const chatWords = (initial: string, label: Words, help: Words | null = null) =>
  plain(
    z
      .string()
      .trim()
      .max(120)
      .regex(
        /^[\p{L}\p{M}\p{N}]{1,32}(?: +[\p{L}\p{M}\p{N}]{1,32})*$/u,
        'must be words with spaces between them',
      ),
    initial,
    label,
    help,
  );

/** Every section of the settings, declared once: the API validates with it, the panel draws its forms from it. */
export const settingsSections = {
  general: {
    title: { en: 'General', 'pt-BR': 'Geral' },
    fields: {
      communityName: plain(
        communityName,
        'My community',
        { en: 'Community name', 'pt-BR': 'Nome da comunidade' },
        {
          en: 'Shown at sign-in, above the pages, in window titles, and by the bot.',
          'pt-BR': 'Aparece na entrada, acima das páginas, nos títulos das janelas e no bot.',
        },
      ),
      timeZone: plain(
        z.string().max(64).refine(isTimeZone, 'must be an IANA time zone, such as America/Sao_Paulo'),
        'UTC',
        { en: 'Time zone', 'pt-BR': 'Fuso horário' },
        {
          en: 'Days and reports follow it, and so do all times in the panel for people who chose no other. Such as America/Sao_Paulo.',
          'pt-BR':
            'Dias e relatórios seguem este fuso, e também todos os horários no painel de quem não escolheu outro. Por exemplo, America/Sao_Paulo.',
        },
      ),
      language: plain(
        z.enum(['en', 'pt-BR']),
        'en',
        { en: 'Language', 'pt-BR': 'Idioma' },
        {
          en: 'For the bot, messages to players, and the panel of people who chose no other.',
          'pt-BR': 'Do bot, das mensagens aos jogadores e do painel de quem não escolheu outro.',
        },
      ),
      publicAddress: plain(
        publicAddressText,
        '',
        { en: 'Public address', 'pt-BR': 'Endereço público' },
        {
          en: 'Where people, shops and Game Agents reach this computer from outside, such as https://panel.example.com. Every address that you are shown is built from it.',
          'pt-BR':
            'Onde pessoas, lojas e agentes de jogo alcançam este computador de fora, como https://panel.example.com. Todo endereço mostrado é feito a partir dele.',
        },
      ),
    },
  },
  'external-services': {
    title: { en: 'External services', 'pt-BR': 'Serviços externos' },
    fields: {
      steamApiKey: sensitive(
        serviceKey,
        { en: 'Steam API key', 'pt-BR': 'Chave da API Steam' },
        {
          en: 'From steamcommunity.com/dev/apikey.',
          'pt-BR': 'De steamcommunity.com/dev/apikey.',
        },
      ),
      curseforgeApiKey: sensitive(
        serviceKey,
        { en: 'CurseForge API key', 'pt-BR': 'Chave da API CurseForge' },
        { en: 'From console.curseforge.com.', 'pt-BR': 'De console.curseforge.com.' },
      ),
      modrinthApiKey: sensitive(
        serviceKey,
        { en: 'Modrinth token', 'pt-BR': 'Token do Modrinth' },
        {
          en: 'Only needed for private projects.',
          'pt-BR': 'Necessário apenas para projetos privados.',
        },
      ),
    },
  },
  backups: {
    title: { en: 'Backups of Castellan', 'pt-BR': 'Backups do Castellan' },
    fields: {
      nightlyHour: plain(
        z.int().min(0).max(23),
        3,
        { en: 'Hour of the nightly backup', 'pt-BR': 'Hora do backup noturno' },
        {
          en: 'From 0 to 23, by this computer’s clock. It begins at half past. One that was missed is made up for when the computer is on again.',
          'pt-BR':
            'De 0 a 23, pelo relógio deste computador. Começa aos trinta minutos. Um que foi perdido é feito quando o computador volta a ligar.',
        },
      ),
      daysKept: plain(
        z.int().min(leastDaysKept).max(60),
        leastDaysKept,
        { en: 'Days with a nightly backup', 'pt-BR': 'Dias com backup noturno' },
        {
          en: 'So many days keep their newest nightly backup, and 4 weeks before them one each. Backups that a person or an update took stay.',
          'pt-BR':
            'Tantos dias mantêm o backup noturno mais novo, e as 4 semanas anteriores um cada. Backups feitos por uma pessoa ou atualização ficam.',
        },
      ),
    },
  },
  agents: {
    title: { en: 'Game Agents', 'pt-BR': 'Agentes de jogo' },
    fields: {
      allowPlainAgents: plain(
        z.boolean(),
        false,
        { en: 'Allow agents without TLS', 'pt-BR': 'Permitir agentes sem TLS' },
        {
          en: 'Lets Game Agents on other machines connect unencrypted. Anyone who listens on the network can then read and change their messages.',
          'pt-BR':
            'Permite que agentes de jogo em outras máquinas se conectem sem criptografia. Quem escuta a rede pode então ler e alterar o que eles dizem e recebem.',
        },
      ),
    },
  },
  power: {
    title: { en: 'Starting and stopping', 'pt-BR': 'Ligar e desligar' },
    fields: {
      countdownSeconds: plain(
        z.int().min(0).max(longestCountdown),
        60,
        { en: 'Seconds of countdown', 'pt-BR': 'Segundos de contagem' },
        {
          en: 'How long a stop or restart is announced in the game while players are on. You can choose another time for each.',
          'pt-BR':
            'Por quanto tempo um desligamento ou reinício é anunciado no jogo enquanto há jogadores. Você pode escolher outro tempo em cada caso.',
        },
      ),
    },
  },
  mods: {
    title: { en: 'Mods', 'pt-BR': 'Mods' },
    fields: {
      checkHours: plain(
        z.int().min(1).max(168),
        6,
        { en: 'Hours between update checks', 'pt-BR': 'Horas entre verificações de atualização' },
        {
          en: 'How often new versions of installed mods are looked for.',
          'pt-BR': 'Com que frequência se procuram novas versões dos mods instalados.',
        },
      ),
      readySeconds: plain(
        z.int().min(10).max(3600),
        300,
        { en: 'Seconds until a game must answer', 'pt-BR': 'Segundos até o jogo ter que responder' },
        {
          en: 'After a change of mods the old set comes back when the console has not answered by then.',
          'pt-BR': 'Após uma alteração de mods, o conjunto antigo volta se o console não responder até lá.',
        },
      ),
      watchSeconds: plain(
        z.int().min(0).max(3600),
        120,
        { en: 'Seconds without a crash', 'pt-BR': 'Segundos sem queda' },
        {
          en: 'How long the game must then run before new mods count as proven.',
          'pt-BR': 'Por quanto tempo o jogo deve então rodar para que os novos mods contem como comprovados.',
        },
      ),
    },
  },
  store: {
    title: { en: 'Store', 'pt-BR': 'Loja' },
    fields: {
      deliveryExpiryDays: plain(
        z.int().min(1).max(365),
        30,
        { en: 'Days until a delivery expires', 'pt-BR': 'Dias até uma entrega expirar' },
        {
          en: 'What could not be delivered by then is cancelled and refunded.',
          'pt-BR': 'O que não pôde ser entregue até lá é cancelado e reembolsado.',
        },
      ),
    },
  },
  'chat-shop': {
    title: { en: 'Shop in the chat of games', 'pt-BR': 'Loja no chat dos jogos' },
    distinctWords: [
      'shopWords',
      'buyWords',
      'pointsWords',
      'claimWords',
      'redeemWords',
      'linkWords',
      'survivorWords',
      'helpWords',
    ],
    fields: {
      isOpen: plain(
        z.boolean(),
        false,
        { en: 'Players can buy by chat', 'pt-BR': 'Jogadores podem comprar pelo chat' },
        {
          en: 'They are answered by private message. Where the game gives only a name, points are spent only after the player types back a number that was sent to them alone.',
          'pt-BR':
            'A resposta vem por mensagem privada. Onde o jogo informa só um nome, o que gasta pontos só é feito depois que o jogador digita um número que apenas ele recebeu.',
        },
      ),
      prefix: plain(
        z.string().regex(/^[!-.:-@[-_{-~]{1,3}$/, 'must be one to three punctuation marks, not a slash'),
        '!',
        { en: 'Prefix of commands', 'pt-BR': 'Prefixo dos comandos' },
        {
          en: 'Such as ! in !shop. Games keep what begins with a slash for themselves. Lines that begin with the prefix are not relayed to Discord.',
          'pt-BR':
            'Como ! em !loja. O que começa com barra fica com o próprio jogo. Linhas que começam com o prefixo não são enviadas ao Discord.',
        },
      ),
      shopWords: chatWords(
        'shop loja',
        { en: 'Words for the list', 'pt-BR': 'Palavras para a lista' },
        {
          en: 'Here and below: one or more words with spaces between them. Players are told the first in English, the second in Portuguese.',
          'pt-BR':
            'Aqui e abaixo: uma ou mais palavras separadas por espaços. O jogador vê a primeira em inglês e a segunda em português.',
        },
      ),
      buyWords: chatWords('buy comprar', { en: 'Words for buying', 'pt-BR': 'Palavras para comprar' }),
      pointsWords: chatWords('points pontos', { en: 'Words for points', 'pt-BR': 'Palavras para pontos' }),
      claimWords: chatWords('claim resgatar', {
        en: 'Words for claiming points and deliveries',
        'pt-BR': 'Palavras para resgatar pontos e entregas',
      }),
      redeemWords: chatWords('redeem código codigo', {
        en: 'Words for redeeming codes',
        'pt-BR': 'Palavras para resgatar códigos',
      }),
      linkWords: chatWords('link vincular', { en: 'Words for linking', 'pt-BR': 'Palavras para vincular' }),
      survivorWords: chatWords('survivor sobrevivente', {
        en: 'Words for the survivor number',
        'pt-BR': 'Palavras para o número do sobrevivente',
      }),
      helpWords: chatWords('help ajuda', { en: 'Words for help', 'pt-BR': 'Palavras para ajuda' }),
      productsPerPage: plain(z.int().min(1).max(10), 5, {
        en: 'Most products in one answer',
        'pt-BR': 'Máximo de produtos por resposta',
      }),
      broadcastsWithoutPrivate: plain(
        z.boolean(),
        false,
        {
          en: 'Say in public chat when private messages are missing',
          'pt-BR': 'Avisar no chat público quando não há mensagens privadas',
        },
        {
          en: 'Where a server has no private messages, the player is told in public chat that nothing was done. Prices, points and numbers are never said there.',
          'pt-BR':
            'Onde o servidor não tem mensagens privadas, o jogador fica sabendo no chat público que nada foi feito. Preços, pontos e números nunca são ditos ali.',
        },
      ),
    },
  },
  rewards: {
    title: { en: 'Rewards', 'pt-BR': 'Recompensas' },
    fields: {
      giftsEnabled: plain(
        z.boolean(),
        false,
        { en: 'Members can give points away', 'pt-BR': 'Membros podem dar pontos' },
        {
          en: 'To other members, by the Discord bot. Each gift is confirmed first.',
          'pt-BR': 'A outros membros, pelo bot do Discord. Cada presente é confirmado antes.',
        },
      ),
      giftMin: plain(z.int().min(1).max(1_000_000), 1, {
        en: 'Smallest gift of points',
        'pt-BR': 'Menor presente de pontos',
      }),
      giftMostPerDay: plain(
        z.int().min(1).max(1_000_000_000),
        1000,
        { en: 'Most points given away a day', 'pt-BR': 'Máximo de pontos dados por dia' },
        {
          en: 'For each member. A day begins at midnight in the time zone of the community.',
          'pt-BR': 'Por membro. O dia começa à meia-noite no fuso horário da comunidade.',
        },
      ),
    },
  },
} as const satisfies Record<string, Section>;

export type SectionName = keyof typeof settingsSections;
export const sectionNames = Object.keys(settingsSections) as [SectionName, ...SectionName[]];

type FieldsOf<Name extends SectionName> = (typeof settingsSections)[Name]['fields'];

/** The plain values of a section. */
export type SectionValues<Name extends SectionName> = {
  readonly [F in keyof FieldsOf<Name> as FieldsOf<Name>[F] extends PlainField
    ? F
    : never]: FieldsOf<Name>[F] extends PlainField<infer Schema> ? z.output<Schema> : never;
};

/** The names of a section's sensitive fields. */
export type SensitiveName<Name extends SectionName> = {
  [F in keyof FieldsOf<Name>]: FieldsOf<Name>[F] extends SensitiveField ? F : never;
}[keyof FieldsOf<Name>] &
  string;

export const settingsSection = z
  .object({
    name: z.enum(sectionNames),
    /** Incremented by each change; 0 until something is saved. */
    version: z.int().nonnegative(),
    title: words,
    /** JSON Schema of the section; sensitive fields are `writeOnly`. */
    schema: z.record(z.string(), z.unknown()),
    /** In the order in which a form shows them. */
    fields: z.array(
      z.object({ name: z.string(), label: words, help: words.nullable(), sensitive: z.boolean() }),
    ),
    values: z.record(z.string(), z.unknown()),
    secrets: z.record(
      z.string(),
      z.object({
        set: z.boolean(),
        keyId: z.string().nullable(),
        /** Why it cannot be read; null if it can, or is not set. */
        fault: z.enum(secretFaults).nullable(),
      }),
    ),
  })
  .meta({ id: 'SettingsSection' });
export type SettingsSection = z.infer<typeof settingsSection>;

/** Only the values to change: an absent sensitive field is kept, a string sets it, null clears it. */
const settingsPatch = z.strictObject({
  /** The version that the change is based on. */
  version: rowVersion,
  values: z.record(z.string(), z.unknown()),
});

export const settingsHttp = {
  list: endpoint({
    method: 'GET',
    path: '/api/settings',
    summary:
      'Return all sections of the settings, with what a form needs; sensitive values only as set or not',
    access: 'settings.read',
    response: z.object({ sections: z.array(settingsSection) }),
  }),
  change: endpoint({
    method: 'PATCH',
    path: '/api/settings/:section',
    summary:
      'Change fields of a section; refused if someone else has changed it in the meantime, or if a chat word would stand for two commands',
    access: 'settings.write',
    params: z.strictObject({ section: z.enum(sectionNames) }),
    body: settingsPatch,
    response: settingsSection,
    problems: [...changeProblems, 'CONFLICT'],
  }),
} as const;
