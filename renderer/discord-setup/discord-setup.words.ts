import { defineWords } from '../language/define-words.ts';

/** What the first run and the Discord page say alike. */
export const discordSetupWords = defineWords(
  {
    token: 'Token of the bot',
    tokenHelp: 'On the page of your application in the Discord developer portal, under Bot.',
    clientId: 'Application id',
    clientIdHelp: 'Found out by the test if you leave it empty.',
    guildId: 'Id of your Discord server',
    guildIdHelp: 'Digits only. In Discord: turn on developer mode, right-click the server, Copy Server ID.',
    inEnv: 'Set in the .env file, which wins over what is entered here.',
    wrongId: 'A Discord id has 15 to 22 digits.',
    wrongToken: 'A token has three parts with dots between them.',
    test: 'Test',
    fine: (bot: string, guild: string) => `${bot} is ready on ${guild}.`,
    fineNoGuild: (bot: string) => `The token is right: it belongs to ${bot}.`,
    intents: (bot: string) =>
      `${bot} is right, but two intents are off: Server Members and Message Content. Turn them on and test again.`,
    intentsLink: 'Open the page of the bot',
    notIn: (bot: string) => `${bot} is not on that Discord server, or the id is another one.`,
    invite: 'Invite the bot',
    otherClient: (id: string) => `The token belongs to the application ${id}.`,
    useClient: 'Use that one',
    tokenWrong: 'Discord does not know this token. Make a new one on the page of the bot and paste it whole.',
    rateLimited: (seconds: number) => `Discord asks to wait ${seconds} s.`,
    unreachable:
      'Discord could not be reached. You can go on: once the bot runs, the panel says whether it works.',
  },
  {
    token: 'Token do bot',
    tokenHelp: 'Na página do seu aplicativo no portal de desenvolvedores do Discord, em Bot.',
    clientId: 'Id do aplicativo',
    clientIdHelp: 'O teste o descobre se você deixar vazio.',
    guildId: 'Id do seu servidor do Discord',
    guildIdHelp:
      'Só números. No Discord: ligue o modo desenvolvedor, clique com o botão direito no servidor, Copiar ID do servidor.',
    inEnv: 'Definido no arquivo .env, que vale mais do que o que é digitado aqui.',
    wrongId: 'Um id do Discord tem de 15 a 22 números.',
    wrongToken: 'Um token tem três partes separadas por pontos.',
    test: 'Testar',
    fine: (bot: string, guild: string) => `${bot} está pronto em ${guild}.`,
    fineNoGuild: (bot: string) => `O token está certo: ele é de ${bot}.`,
    intents: (bot: string) =>
      `${bot} está certo, mas dois intents estão desligados: Server Members e Message Content. Ligue-os e teste de novo.`,
    intentsLink: 'Abrir a página do bot',
    notIn: (bot: string) => `${bot} não está nesse servidor do Discord, ou o id é outro.`,
    invite: 'Convidar o bot',
    otherClient: (id: string) => `O token é do aplicativo ${id}.`,
    useClient: 'Usar esse',
    tokenWrong: 'O Discord não conhece este token. Crie um novo na página do bot e cole-o inteiro.',
    rateLimited: (seconds: number) => `O Discord pede para esperar ${seconds} s.`,
    unreachable:
      'O Discord não pôde ser alcançado. Você pode continuar: quando o bot rodar, o painel diz se ele funciona.',
  },
);
