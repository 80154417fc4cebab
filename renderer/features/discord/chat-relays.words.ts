import type { ChatChannelPermission, ChatRelayObstacle, FilterTreatment } from '#contracts/discord-chat.ts';
import { plural } from '#contracts/language.ts';
import { defineWords } from '../../language/define-words.ts';

export const chatRelaysWords = defineWords(
  {
    title: 'Chat between games and Discord',
    description:
      'What players say appears in a channel under their names, and what people write there is said in the game. Commands such as !link are never relayed.',
    none: 'No chat is relayed yet.',
    add: 'Relay a chat',
    edit: 'Change',
    remove: 'Remove',
    removed: 'Removed',
    removeTitle: (pair: string) => `Relay no more chat between ${pair}?`,
    removeText: 'Messages in the channel stay. Whatever has not been relayed yet is not relayed any more.',
    relay: (pair: string) => `Chat between ${pair}`,
    pair: (server: string, channel: string) => `${server} and ${channel}`,
    unknownChannel: (id: string) => `channel ${id}`,
    on: 'On',
    partly: 'Only partly',
    nothing: 'Not relayed',
    off: 'Off',
    bothWays: 'Both ways',
    toDiscordOnly: 'From the game to Discord',
    toGameOnly: 'From Discord to the game',
    acrossServers: 'with the other servers of the channel',
    toDiscordLast: 'Last to Discord',
    toGameLast: 'Last to the game',
    never: 'none yet',
    toDiscordLeftOut: (count: number) =>
      `${plural.en(count, 'line was', 'lines were')} left out on the way to Discord: too many at once, banned words, or too old.`,
    toGameLeftOut: (count: number) =>
      `${plural.en(count, 'line was', 'lines were')} left out on the way to the game: too many at once, banned words, too old, or the game did not answer.`,
    newTitle: 'Relay the chat of a game server',
    editTitle: 'Change how chat is relayed',
    save: 'Save',
    create: 'Start relaying',
    saved: 'Saved',
    fromNow: 'Chat is relayed from now on.',
    server: 'Game server',
    channel: 'Channel',
    toDiscord: 'Show in Discord what players say',
    toGame: 'Say in the game what people write in Discord',
    fromServers: 'Say in this game what is said on other servers of the channel',
    fromServersHint: 'Their players appear with the name of their server before theirs.',
    isEnabled: 'Switched on',
    oneWay: 'Choose one way at least.',
    taken: 'This server and this channel have a relay already. Change that one.',
    mayNot: 'You may not do this on this server.',
    theirs: 'Someone else has changed this relay meanwhile',
    botNeeded: 'Channels can be chosen once the bot is connected.',
    obstacles: {
      'bot-away':
        'The bot is away. What players say in the meantime follows if it is back within ten minutes.',
      'server-archived': 'This game server is in the archive. Restore it, or remove the relay.',
      'channel-unknown':
        'The bot does not see this channel: it was deleted, or is hidden from the bot. Let the bot see it, or choose another one.',
      'permissions-missing':
        'In Discord, open the channel’s settings, Permissions, and allow the bot’s role what it lacks. Chat follows by itself.',
      refused:
        'Discord refuses the bot’s messages in this channel. Check what the bot’s role may do there. The bot tries again every minute.',
      'too-many-webhooks':
        'The channel has as many webhooks as Discord allows, 15. In Discord, open the channel’s settings, Integrations, and delete one that nobody needs. The bot tries again every minute.',
      'chat-not-heard':
        'What is said in this game cannot be heard: its console does not show chat. Connect a Game Agent that reads the game’s log.',
      'game-not-online':
        'The game does not answer, so nothing can be said in it. See how the game server is.',
    } satisfies Record<ChatRelayObstacle, string>,
    lacks: (names: string) => `It lacks: ${names}.`,
    permissions: {
      viewChannels: 'View channel',
      manageWebhooks: 'Manage webhooks',
      readHistory: 'Read message history',
    } satisfies Record<ChatChannelPermission, string>,
    filter: {
      title: 'Word filter of the chat',
      none: 'No words are filtered.',
      some: (count: number) => `${plural.en(count, 'word or phrase is', 'words or phrases are')} filtered.`,
      edit: 'Change the words',
      words: 'One word or phrase a line',
      hint: 'Upper and lower case, accents and letters that look alike make no difference. Only whole words count; * stands for any letters, as in spam*.',
      treatment: 'A line in which one of them stands',
      treatments: {
        mask: 'is relayed with *** for the word',
        hold: 'is not relayed',
      } satisfies Record<FilterTreatment, string>,
      invalid: (word: string) =>
        `“${word}” cannot be filtered: it needs a letter or digit, two of them beside a *, and at most 60 characters.`,
      tooMany: (most: number) => `At most ${most} words or phrases.`,
      theirs: 'Someone else has changed the words meanwhile',
    },
  },
  {
    title: 'Chat entre jogos e Discord',
    description:
      'O que os jogadores dizem aparece em um canal com os nomes deles, e o que se escreve lá é dito no jogo. Comandos como !link nunca são repassados.',
    none: 'Nenhum chat é repassado ainda.',
    add: 'Repassar um chat',
    edit: 'Alterar',
    remove: 'Remover',
    removed: 'Removido',
    removeTitle: (pair: string) => `Parar de repassar o chat entre ${pair}?`,
    removeText: 'As mensagens no canal ficam. O que ainda não foi repassado não será mais.',
    relay: (pair: string) => `Chat entre ${pair}`,
    pair: (server: string, channel: string) => `${server} e ${channel}`,
    unknownChannel: (id: string) => `canal ${id}`,
    on: 'Ligado',
    partly: 'Só em parte',
    nothing: 'Nada é repassado',
    off: 'Desligado',
    bothWays: 'Nos dois sentidos',
    toDiscordOnly: 'Do jogo para o Discord',
    toGameOnly: 'Do Discord para o jogo',
    acrossServers: 'com os outros servidores do canal',
    toDiscordLast: 'Último para o Discord',
    toGameLast: 'Último para o jogo',
    never: 'nenhum ainda',
    toDiscordLeftOut: (count: number) =>
      `${plural.pt(count, 'linha foi omitida', 'linhas foram omitidas')} a caminho do Discord: muitas de uma vez, palavras proibidas ou antigas demais.`,
    toGameLeftOut: (count: number) =>
      `${plural.pt(count, 'linha foi omitida', 'linhas foram omitidas')} a caminho do jogo: muitas de uma vez, palavras proibidas, antigas demais, ou o jogo não respondeu.`,
    newTitle: 'Repassar o chat de um servidor de jogo',
    editTitle: 'Alterar como o chat é repassado',
    save: 'Salvar',
    create: 'Começar a repassar',
    saved: 'Salvo',
    fromNow: 'O chat é repassado a partir de agora.',
    server: 'Servidor de jogo',
    channel: 'Canal',
    toDiscord: 'Mostrar no Discord o que os jogadores dizem',
    toGame: 'Dizer no jogo o que se escreve no Discord',
    fromServers: 'Dizer neste jogo o que se diz em outros servidores do canal',
    fromServersHint: 'Os jogadores de lá aparecem com o nome do servidor antes do deles.',
    isEnabled: 'Ligado',
    oneWay: 'Escolha ao menos um sentido.',
    taken: 'Este servidor e este canal já têm um repasse. Altere aquele.',
    mayNot: 'Você não pode fazer isso neste servidor.',
    theirs: 'Outra pessoa alterou este repasse enquanto isso',
    botNeeded: 'Os canais podem ser escolhidos quando o bot estiver conectado.',
    obstacles: {
      'bot-away':
        'O bot está fora. O que os jogadores dizem enquanto isso segue se ele voltar em até dez minutos.',
      'server-archived': 'Este servidor de jogo está no arquivo. Restaure-o ou remova o repasse.',
      'channel-unknown':
        'O bot não vê este canal: foi excluído ou está oculto para o bot. Deixe o bot vê-lo ou escolha outro.',
      'permissions-missing':
        'No Discord, abra as configurações do canal, Permissões, e permita ao cargo do bot o que falta. O chat segue sozinho.',
      refused:
        'O Discord recusa as mensagens do bot neste canal. Confira o que o cargo do bot pode fazer nele. O bot tenta de novo a cada minuto.',
      'too-many-webhooks':
        'O canal tem tantos webhooks quanto o Discord permite, 15. No Discord, abra as configurações do canal, Integrações, e exclua um que ninguém use. O bot tenta de novo a cada minuto.',
      'chat-not-heard':
        'O que se diz neste jogo não pode ser ouvido: o console dele não mostra o chat. Conecte um Game Agent que leia o registro do jogo.',
      'game-not-online': 'O jogo não responde, e nada pode ser dito nele. Veja como está o servidor de jogo.',
    },
    lacks: (names: string) => `Falta: ${names}.`,
    permissions: {
      viewChannels: 'Ver canal',
      manageWebhooks: 'Gerenciar webhooks',
      readHistory: 'Ver histórico de mensagens',
    },
    filter: {
      title: 'Filtro de palavras do chat',
      none: 'Nenhuma palavra é filtrada.',
      some: (count: number) =>
        `${plural.pt(count, 'palavra ou frase é filtrada', 'palavras ou frases são filtradas')}.`,
      edit: 'Alterar as palavras',
      words: 'Uma palavra ou frase por linha',
      hint: 'Maiúsculas, acentos e letras parecidas não fazem diferença. Só palavras inteiras contam; * vale por quaisquer letras, como em spam*.',
      treatment: 'Uma linha em que esteja uma delas',
      treatments: {
        mask: 'é repassada com *** no lugar da palavra',
        hold: 'não é repassada',
      },
      invalid: (word: string) =>
        `“${word}” não pode ser filtrada: precisa de uma letra ou dígito, dois deles junto de um *, e no máximo 60 caracteres.`,
      tooMany: (most: number) => `No máximo ${most} palavras ou frases.`,
      theirs: 'Outra pessoa alterou as palavras enquanto isso',
    },
  },
);
