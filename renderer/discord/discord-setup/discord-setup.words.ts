import { defineWords } from '#contracts/kernel/words.ts';

/** The words that the first run and the Discord page share. */
export const discordSetupWords = defineWords(
  {
    token: 'Bot token',
    tokenHelp: 'In the Discord developer portal: your application, then Bot.',
    clientId: 'Application ID',
    clientIdHelp: 'Optional. The test fills it in.',
    guildId: 'Discord server ID',
    guildIdHelp: 'In Discord, turn on developer mode, right-click your server, and choose Copy Server ID.',
    inEnv: 'Set in the .env file, which overrides this field.',
    wrongId: 'A Discord ID has 15 to 22 digits.',
    wrongToken: 'A bot token has three parts separated by dots.',
    test: 'Test',
    fine: (bot: string, guild: string) => `${bot} is ready on ${guild}.`,
    fineNoGuild: (bot: string) => `The token is valid and belongs to ${bot}.`,
    intents: (bot: string) =>
      `${bot} is missing two intents: Server Members and Message Content. Turn them on, then test again.`,
    intentsLink: 'Open the bot page',
    notIn: (bot: string) =>
      `${bot} has not joined this Discord server. Invite the bot, or check the server ID.`,
    invite: 'Invite bot',
    otherClient: (id: string) => `The token belongs to application ${id}.`,
    useClient: 'Use this ID',
    tokenWrong:
      'Discord does not recognize this token. Create a new one on the bot page and paste all of it.',
    rateLimited: (seconds: number) => `Too many attempts. Try again in ${seconds} s.`,
    unreachable: 'Discord could not be reached. You can continue; the panel shows whether the bot connects.',
  },
  {
    token: 'Token do bot',
    tokenHelp: 'No portal de desenvolvedores do Discord: seu aplicativo, depois Bot.',
    clientId: 'ID do aplicativo',
    clientIdHelp: 'Opcional. O teste o preenche.',
    guildId: 'ID do servidor do Discord',
    guildIdHelp:
      'No Discord, ative o modo desenvolvedor, clique com o botão direito no servidor e escolha Copiar ID do servidor.',
    inEnv: 'Definido no arquivo .env, que vale mais do que este campo.',
    wrongId: 'Um ID do Discord tem de 15 a 22 dígitos.',
    wrongToken: 'Um token de bot tem três partes separadas por pontos.',
    test: 'Testar',
    fine: (bot: string, guild: string) => `${bot} está pronto em ${guild}.`,
    fineNoGuild: (bot: string) => `O token é válido e pertence a ${bot}.`,
    intents: (bot: string) =>
      `Faltam dois intents a ${bot}: Server Members e Message Content. Ative-os e teste de novo.`,
    intentsLink: 'Abrir a página do bot',
    notIn: (bot: string) =>
      `${bot} não está neste servidor do Discord. Convide o bot ou confira o ID do servidor.`,
    invite: 'Convidar bot',
    otherClient: (id: string) => `O token pertence ao aplicativo ${id}.`,
    useClient: 'Usar este ID',
    tokenWrong: 'O Discord não reconhece este token. Crie um novo na página do bot e cole-o inteiro.',
    rateLimited: (seconds: number) => `Tentativas demais. Tente de novo em ${seconds} s.`,
    unreachable:
      'Não foi possível alcançar o Discord. Você pode continuar; o painel mostra se o bot se conecta.',
  },
);
