import type {
  ChatChannelPermission,
  ChatRelayObstacle,
  FilterTreatment,
} from '#contracts/discord/discord-chat.ts';
import { plural } from '#contracts/kernel/language.ts';
import { defineWords } from '#contracts/kernel/words.ts';

export const chatRelaysWords = defineWords(
  {
    title: 'Chat relay',
    description:
      'Connects the chat of a game server with a Discord channel. Commands such as !link are never relayed.',
    none: 'No chat relays yet.',
    add: 'Add chat relay',
    edit: 'Edit',
    remove: 'Remove',
    removed: 'Removed',
    removeTitle: (pair: string) => `Remove the chat relay between ${pair}?`,
    removeText: 'Messages already in the channel stay. Pending messages are dropped.',
    relay: (pair: string) => `Chat relay between ${pair}`,
    pair: (server: string, channel: string) => `${server} and ${channel}`,
    unknownChannel: (id: string) => `channel ${id}`,
    on: 'On',
    partly: 'Partly working',
    nothing: 'Not working',
    off: 'Off',
    bothWays: 'Both ways',
    toDiscordOnly: 'Game to Discord',
    toGameOnly: 'Discord to game',
    acrossServers: 'plus the other servers of this channel',
    toDiscordLast: 'Last message to Discord',
    toGameLast: 'Last message to the game',
    never: 'None yet',
    toDiscordLeftOut: (count: number) =>
      `${plural.en(count, 'message', 'messages')} not relayed to Discord: too many at once, filtered or too old.`,
    toGameLeftOut: (count: number) =>
      `${plural.en(count, 'message', 'messages')} not relayed to the game: too many at once, filtered, too old, or the game did not respond.`,
    newTitle: 'Add chat relay',
    editTitle: 'Edit chat relay',
    save: 'Save',
    create: 'Add relay',
    saved: 'Saved',
    fromNow: 'Only new messages are relayed.',
    server: 'Game server',
    channel: 'Channel',
    toDiscord: 'Send game chat to Discord',
    toGame: 'Send Discord messages to the game',
    fromServers: 'Also send chat from other servers of this channel to the game',
    fromServersHint: 'Each message starts with the name of its server.',
    isEnabled: 'On',
    oneWay: 'Select at least one direction.',
    taken: 'This server and channel already have a relay. Edit that one.',
    mayNot: 'You don’t have permission to do this on this server.',
    theirs: 'Another person changed this relay while you were editing',
    botNeeded: 'Connect the bot first to choose a channel.',
    obstacles: {
      'bot-away': 'The bot is offline. Game chat of the last ten minutes is sent when it reconnects.',
      'guild-unavailable':
        'Discord has trouble with your Discord server. Game chat of the last ten minutes is sent when it is back.',
      'server-archived': 'This game server is archived. Restore it, or remove the relay.',
      'channel-unknown':
        'The channel was deleted, or the bot can’t see it. Give the bot access, or choose another channel.',
      'permissions-missing':
        'In Discord, open the channel’s settings, then Permissions, and give the bot’s role the missing permissions.',
      refused:
        'Discord rejects the bot’s messages in this channel. Check the permissions of the bot’s role. The bot tries again every minute.',
      'too-many-webhooks':
        'The channel has reached Discord’s limit of 15 webhooks. In Discord, open the channel’s settings, then Integrations, and delete one. The bot tries again every minute.',
      'chat-not-heard':
        'This game’s console does not show chat. Connect a Game Agent that reads the game’s log or starts the game.',
      'game-not-online': 'The game does not respond, so messages can’t be sent to it. Check the game server.',
    } satisfies Record<ChatRelayObstacle, string>,
    lacks: (names: string) => `Missing: ${names}.`,
    permissions: {
      viewChannels: 'View channel',
      manageWebhooks: 'Manage webhooks',
      readHistory: 'Read message history',
      connect: 'Connect, which a voice channel needs',
    } satisfies Record<ChatChannelPermission, string>,
    filter: {
      title: 'Word filter',
      none: 'No filtered words.',
      some: (count: number) => `${plural.en(count, 'filtered word or phrase', 'filtered words or phrases')}.`,
      edit: 'Edit words',
      words: 'One word or phrase per line',
      hint: 'Ignores case, accents and look-alike letters. Matches whole words; * stands for any letters, as in spam*.',
      treatment: 'Messages with a filtered word',
      treatments: {
        mask: 'Replace the word with ***',
        hold: 'Do not relay',
      } satisfies Record<FilterTreatment, string>,
      invalid: (word: string) =>
        `“${word}” can’t be filtered. Use 1 to 60 characters with at least one letter or digit, or two next to a *.`,
      tooMany: (most: number) => `Maximum: ${most} words or phrases.`,
      theirs: 'Another person changed the words while you were editing',
    },
  },
  {
    title: 'Repasse do chat',
    description:
      'Conecta o chat de um servidor de jogo a um canal do Discord. Comandos como !link nunca são repassados.',
    none: 'Nenhum repasse de chat ainda.',
    add: 'Adicionar repasse de chat',
    edit: 'Editar',
    remove: 'Remover',
    removed: 'Removido',
    removeTitle: (pair: string) => `Remover o repasse de chat entre ${pair}?`,
    removeText: 'As mensagens que já estão no canal ficam. As pendentes são descartadas.',
    relay: (pair: string) => `Repasse de chat entre ${pair}`,
    pair: (server: string, channel: string) => `${server} e ${channel}`,
    unknownChannel: (id: string) => `canal ${id}`,
    on: 'Ligado',
    partly: 'Funciona em parte',
    nothing: 'Não funciona',
    off: 'Desligado',
    bothWays: 'Nos dois sentidos',
    toDiscordOnly: 'Do jogo para o Discord',
    toGameOnly: 'Do Discord para o jogo',
    acrossServers: 'e com os outros servidores deste canal',
    toDiscordLast: 'Última mensagem para o Discord',
    toGameLast: 'Última mensagem para o jogo',
    never: 'Nenhuma ainda',
    toDiscordLeftOut: (count: number) =>
      `${plural.pt(count, 'mensagem não repassada', 'mensagens não repassadas')} ao Discord: muitas de uma vez, filtradas ou antigas demais.`,
    toGameLeftOut: (count: number) =>
      `${plural.pt(count, 'mensagem não repassada', 'mensagens não repassadas')} ao jogo: muitas de uma vez, filtradas, antigas demais, ou o jogo não respondeu.`,
    newTitle: 'Adicionar repasse de chat',
    editTitle: 'Editar repasse de chat',
    save: 'Salvar',
    create: 'Adicionar repasse',
    saved: 'Salvo',
    fromNow: 'Só mensagens novas são repassadas.',
    server: 'Servidor de jogo',
    channel: 'Canal',
    toDiscord: 'Enviar o chat do jogo ao Discord',
    toGame: 'Enviar as mensagens do Discord ao jogo',
    fromServers: 'Enviar também ao jogo o chat de outros servidores deste canal',
    fromServersHint: 'Cada mensagem começa com o nome do servidor dela.',
    isEnabled: 'Ligado',
    oneWay: 'Selecione pelo menos um sentido.',
    taken: 'Este servidor e este canal já têm um repasse. Edite esse.',
    mayNot: 'Você não tem permissão para fazer isso neste servidor.',
    theirs: 'Outra pessoa alterou este repasse enquanto você editava',
    botNeeded: 'Conecte o bot primeiro para escolher um canal.',
    obstacles: {
      'bot-away':
        'O bot está offline. O chat do jogo dos últimos dez minutos é enviado quando ele se reconectar.',
      'guild-unavailable':
        'O Discord está com problemas no seu servidor do Discord. O chat do jogo dos últimos dez minutos é enviado quando ele voltar.',
      'server-archived': 'Este servidor de jogo está arquivado. Restaure-o ou remova o repasse.',
      'channel-unknown':
        'O canal foi excluído, ou o bot não consegue vê-lo. Dê acesso ao bot ou escolha outro canal.',
      'permissions-missing':
        'No Discord, abra as configurações do canal, depois Permissões, e dê ao cargo do bot as permissões que faltam.',
      refused:
        'O Discord rejeita as mensagens do bot neste canal. Confira as permissões do cargo do bot. O bot tenta de novo a cada minuto.',
      'too-many-webhooks':
        'O canal atingiu o limite de 15 webhooks do Discord. No Discord, abra as configurações do canal, depois Integrações, e exclua um. O bot tenta de novo a cada minuto.',
      'chat-not-heard':
        'O console deste jogo não mostra o chat. Conecte um agente de jogo que leia o log do jogo ou inicie o jogo.',
      'game-not-online':
        'O jogo não responde, então não é possível enviar mensagens a ele. Confira o servidor de jogo.',
    },
    lacks: (names: string) => `Falta: ${names}.`,
    permissions: {
      viewChannels: 'Ver canal',
      manageWebhooks: 'Gerenciar webhooks',
      readHistory: 'Ver histórico de mensagens',
      connect: 'Conectar, que um canal de voz exige',
    },
    filter: {
      title: 'Filtro de palavras',
      none: 'Nenhuma palavra filtrada.',
      some: (count: number) =>
        `${plural.pt(count, 'palavra ou frase filtrada', 'palavras ou frases filtradas')}.`,
      edit: 'Editar palavras',
      words: 'Uma palavra ou frase por linha',
      hint: 'Ignora maiúsculas, acentos e letras parecidas. Vale para palavras inteiras; * substitui quaisquer letras, como em spam*.',
      treatment: 'Mensagens com uma palavra filtrada',
      treatments: {
        mask: 'Trocar a palavra por ***',
        hold: 'Não repassar',
      },
      invalid: (word: string) =>
        `“${word}” não pode ser filtrada. Use de 1 a 60 caracteres com pelo menos uma letra ou dígito, ou dois ao lado de um *.`,
      tooMany: (most: number) => `Máximo: ${most} palavras ou frases.`,
      theirs: 'Outra pessoa alterou as palavras enquanto você editava',
    },
  },
);
