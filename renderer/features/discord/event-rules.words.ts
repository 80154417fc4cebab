import type {
  EventChannelPermission,
  EventRuleObstacle,
  TestPostOutcome,
} from '#contracts/discord-events.ts';
import { plural } from '#contracts/language.ts';
import { defineWords } from '../../language/define-words.ts';

export const eventRulesWords = defineWords(
  {
    title: 'Events to channels',
    description:
      'What happens is posted into channels of your Discord server. Alerts pass everything else; many similar events become one message.',
    none: 'No events go to Discord yet.',
    add: 'Send events to a channel',
    edit: 'Change',
    remove: 'Remove',
    removeTitle: (channel: string) => `Send no more events to ${channel} by this rule?`,
    removeText: 'What waits for this rule alone is not posted any more. Messages in the channel stay.',
    rule: (channel: string) => `Events to ${channel}`,
    on: 'On',
    off: 'Off',
    waits: 'Waiting',
    allKinds: 'All kinds',
    allSeverities: 'All severities',
    allServers: 'All servers',
    kinds: 'Kinds',
    severities: 'Severities',
    servers: 'Game servers',
    channel: 'Channel',
    role: 'Mention this role',
    noRole: 'Nobody',
    isEnabled: 'Switched on',
    emptyIsAll: 'None chosen: all.',
    last: 'Last message',
    never: 'None yet',
    leftOut: (count: number) =>
      `${plural.en(count, 'event was', 'events were')} left out of this channel, since too many had waited or Discord refused them. The event log has them.`,
    unknownChannel: (id: string) => `Channel ${id}`,
    unknownRole: (id: string) => `Role ${id}`,
    newTitle: 'Send events to a channel',
    editTitle: 'Change which events go to a channel',
    save: 'Save',
    create: 'Start sending',
    saved: 'Saved',
    removed: 'Removed',
    theirs: 'Someone else has changed this rule meanwhile',
    botNeeded: 'Channels can be chosen once the bot is connected.',
    fromNow: 'Events are sent from now on.',
    test: 'Post a test message',
    outcomes: {
      posted: 'The test message is in the channel.',
      'bot-away': 'The bot did not answer. See how it is above.',
      'channel-unknown': 'The bot does not see this channel.',
      'permissions-missing': 'The bot lacks permissions in this channel.',
      refused: 'Discord refused the test message. Check what the bot’s role may do in this channel.',
    } satisfies Record<TestPostOutcome, string>,
    obstacles: {
      'bot-away': 'The bot is away. Events wait and are posted once it is back.',
      'channel-unknown':
        'The bot does not see this channel: it was deleted, or is hidden from the bot. Let the bot see it, or choose another one. Events wait.',
      'permissions-missing':
        'In Discord, open the channel’s settings, Permissions, and allow the bot’s role what it lacks. Events wait and follow by themselves.',
      refused:
        'Discord refuses messages in this channel. Check what the bot’s role may do there. The bot tries again every minute; events wait.',
      'role-unknown':
        'The role to be mentioned no longer exists. Choose another one; events are posted without it.',
      'role-not-mentionable':
        'The role is shown and notifies no one. In Discord, open Server settings, Roles, and turn on “Allow anyone to @mention this role”.',
    } satisfies Record<EventRuleObstacle, string>,
    lacks: (names: string) => `It lacks: ${names}.`,
    permissions: {
      viewChannels: 'View channel',
      sendMessages: 'Send messages',
      embedLinks: 'Embed links',
      readHistory: 'Read message history',
    } satisfies Record<EventChannelPermission, string>,
  },
  {
    title: 'Eventos nos canais',
    description:
      'O que acontece é publicado em canais do seu servidor do Discord. Alertas passam à frente; muitos eventos parecidos viram uma mensagem.',
    none: 'Nenhum evento vai ao Discord ainda.',
    add: 'Enviar eventos a um canal',
    edit: 'Alterar',
    remove: 'Remover',
    removeTitle: (channel: string) => `Não enviar mais eventos a ${channel} por esta regra?`,
    removeText: 'O que espera só por esta regra não é mais publicado. As mensagens no canal ficam.',
    rule: (channel: string) => `Eventos em ${channel}`,
    on: 'Ligada',
    off: 'Desligada',
    waits: 'Esperando',
    allKinds: 'Todos os tipos',
    allSeverities: 'Todas as gravidades',
    allServers: 'Todos os servidores',
    kinds: 'Tipos',
    severities: 'Gravidades',
    servers: 'Servidores de jogo',
    channel: 'Canal',
    role: 'Mencionar este cargo',
    noRole: 'Ninguém',
    isEnabled: 'Ligada',
    emptyIsAll: 'Nada escolhido: todos.',
    last: 'Última mensagem',
    never: 'Nenhuma ainda',
    leftOut: (count: number) =>
      `${plural.pt(count, 'evento foi omitido', 'eventos foram omitidos')} neste canal, pois muitos esperavam ou o Discord os recusou. Estão no registro de eventos.`,
    unknownChannel: (id: string) => `Canal ${id}`,
    unknownRole: (id: string) => `Cargo ${id}`,
    newTitle: 'Enviar eventos a um canal',
    editTitle: 'Alterar quais eventos vão a um canal',
    save: 'Salvar',
    create: 'Começar a enviar',
    saved: 'Salvo',
    removed: 'Removida',
    theirs: 'Outra pessoa alterou esta regra enquanto isso',
    botNeeded: 'Os canais podem ser escolhidos quando o bot estiver conectado.',
    fromNow: 'Os eventos são enviados a partir de agora.',
    test: 'Publicar uma mensagem de teste',
    outcomes: {
      posted: 'A mensagem de teste está no canal.',
      'bot-away': 'O bot não respondeu. Veja o estado dele acima.',
      'channel-unknown': 'O bot não vê este canal.',
      'permissions-missing': 'Faltam permissões ao bot neste canal.',
      refused: 'O Discord recusou a mensagem de teste. Confira o que o cargo do bot pode fazer neste canal.',
    },
    obstacles: {
      'bot-away': 'O bot está ausente. Os eventos esperam e são publicados quando ele voltar.',
      'channel-unknown':
        'O bot não vê este canal: foi excluído, ou está oculto para o bot. Deixe o bot vê-lo, ou escolha outro. Os eventos esperam.',
      'permissions-missing':
        'No Discord, abra as configurações do canal, Permissões, e permita ao cargo do bot o que falta. Os eventos esperam e seguem sozinhos.',
      refused:
        'O Discord recusa mensagens neste canal. Confira o que o cargo do bot pode fazer nele. O bot tenta de novo a cada minuto; os eventos esperam.',
      'role-unknown':
        'O cargo a mencionar não existe mais. Escolha outro; os eventos são publicados sem ele.',
      'role-not-mentionable':
        'O cargo é mostrado e não avisa ninguém. No Discord, abra Configurações do servidor, Cargos, e ligue “Permitir que qualquer um @mencione este cargo”.',
    },
    lacks: (names: string) => `Falta: ${names}.`,
    permissions: {
      viewChannels: 'Ver canal',
      sendMessages: 'Enviar mensagens',
      embedLinks: 'Inserir links',
      readHistory: 'Ver histórico de mensagens',
    },
  },
);
