import { defineWords } from '#contracts/kernel/words.ts';

export const servicesWords = defineWords(
  {
    parts: { postgres: 'the database', api: 'the API', bot: 'the Discord bot' },
    steps: {
      ask: 'Waiting for administrator permission in Windows …',
      'stop-app': 'Stopping Castellan in this program …',
      'start-app': 'Starting Castellan in this program …',
      create: (part: string) => `Creating the service for ${part} …`,
      delete: (part: string) => `Removing the service for ${part} …`,
      start: (part: string) => `Starting ${part} …`,
      stop: (part: string) => `Stopping ${part} …`,
      'write-envs': 'Saving the settings of the services …',
      'remove-envs': 'Removing the settings of the services …',
      'grant-rights': 'Granting the services access to the data folder …',
      'revoke-rights': 'Removing the services’ access to the data folder …',
      'await-health': 'Waiting for the API. The first time takes a minute or two …',
      'make-access': 'Giving this desktop access …',
      all: 'the services',
    },
    refused: 'Nothing was changed',
    refusedText:
      'Administrator permission was denied. Everything keeps running. Try again and choose “Yes”, or ask someone who knows an administrator’s password.',
    impossible: 'Windows could not ask for permission',
    impossibleText:
      'A policy on this computer stops your account from asking for administrator permission. Sign in as an administrator and try again. Nothing was changed.',
    busy: 'Another change is in progress',
    busyText: 'Wait until it finishes, then try again.',
    taken: 'The service names are already in use',
    takenText: 'Each service name can exist only once on a computer. Nothing was changed.',
    takenBy: (service: string, home: string) =>
      `${service} belongs to the Castellan in ${home}. Remove the services there first.`,
    takenByOther: (service: string) => `${service} belongs to another program.`,
    undone: 'The change failed and was undone',
    undoneText: 'Nothing was changed.',
    left: 'The change failed and could not be fully undone',
    leftText: 'Restart Windows, then try again. Not undone:',
    failed: 'The change failed',
    faults: {
      'needs-elevation': 'Windows says the chosen account does not have enough permissions.',
      'depended-upon': 'Another running service depends on it. Stop that service first.',
      disabled: 'A service is disabled. Enable it in the Windows list of services (services.msc).',
      'marked-for-deletion':
        'A service is marked for deletion. Close the list of services and Task Manager, sign out or restart Windows, then try again.',
      exists: 'A service with this name already exists.',
      other: 'See the logs for details.',
    },
    accessTitle: 'Give this desktop access',
    accessMissing:
      'Castellan runs as services, and this Windows account has no access yet. An administrator grants it once, for this account only.',
    accessRefused:
      'The access of this Windows account was revoked or is older than a year. An administrator has to grant it again.',
    accessForNow: 'Windows cannot store secrets for this account, so access ends when you close Castellan.',
    accessAct: 'Give this desktop access …',
    tryAgain: 'Try again',
    rescueText:
      'On this computer, Castellan runs as Windows Services. If you remove them, this program runs everything itself. Either way Windows asks for administrator permission, and your data stays.',
    repair: 'Finish installing the services …',
    giveUp: 'Remove the services …',
  },
  {
    parts: { postgres: 'o banco de dados', api: 'a API', bot: 'o bot do Discord' },
    steps: {
      ask: 'Esperando a permissão de administrador no Windows …',
      'stop-app': 'Parando o Castellan neste programa …',
      'start-app': 'Iniciando o Castellan neste programa …',
      create: (part: string) => `Criando o serviço: ${part} …`,
      delete: (part: string) => `Removendo o serviço: ${part} …`,
      start: (part: string) => `Iniciando: ${part} …`,
      stop: (part: string) => `Parando: ${part} …`,
      'write-envs': 'Gravando as configurações dos serviços …',
      'remove-envs': 'Removendo as configurações dos serviços …',
      'grant-rights': 'Dando aos serviços acesso à pasta de dados …',
      'revoke-rights': 'Retirando o acesso dos serviços à pasta de dados …',
      'await-health': 'Esperando a API. Na primeira vez leva um ou dois minutos …',
      'make-access': 'Dando acesso a este programa …',
      all: 'os serviços',
    },
    refused: 'Nada foi alterado',
    refusedText:
      'A permissão de administrador foi negada. Tudo continua rodando. Tente de novo e escolha “Sim”, ou peça a alguém que saiba a senha de um administrador.',
    impossible: 'O Windows não pôde pedir permissão',
    impossibleText:
      'Uma política deste computador impede sua conta de pedir permissão de administrador. Entre como administrador e tente de novo. Nada foi alterado.',
    busy: 'Outra mudança está em andamento',
    busyText: 'Espere ela terminar e tente de novo.',
    taken: 'Os nomes dos serviços já estão em uso',
    takenText: 'Cada nome de serviço só pode existir uma vez em um computador. Nada foi alterado.',
    takenBy: (service: string, home: string) =>
      `${service} pertence ao Castellan em ${home}. Remova os serviços dele primeiro.`,
    takenByOther: (service: string) => `${service} pertence a outro programa.`,
    undone: 'A mudança falhou e foi desfeita',
    undoneText: 'Nada foi alterado.',
    left: 'A mudança falhou e não pôde ser toda desfeita',
    leftText: 'Reinicie o Windows e tente de novo. Não foi desfeito:',
    failed: 'A mudança falhou',
    faults: {
      'needs-elevation': 'O Windows diz que a conta escolhida não tem permissões suficientes.',
      'depended-upon': 'Outro serviço em execução depende dele. Pare esse serviço primeiro.',
      disabled: 'Um serviço está desativado. Ative-o na lista de serviços do Windows (services.msc).',
      'marked-for-deletion':
        'Um serviço está marcado para exclusão. Feche a lista de serviços e o Gerenciador de Tarefas, saia da conta ou reinicie o Windows e tente de novo.',
      exists: 'Já existe um serviço com esse nome.',
      other: 'Veja os detalhes nos logs.',
    },
    accessTitle: 'Dê acesso a este programa',
    accessMissing:
      'O Castellan roda como serviços, e esta conta do Windows ainda não tem acesso. Um administrador o concede uma vez, só para esta conta.',
    accessRefused:
      'O acesso desta conta do Windows foi revogado ou tem mais de um ano. Um administrador precisa concedê-lo de novo.',
    accessForNow:
      'O Windows não consegue guardar segredos para esta conta, então o acesso termina quando você fecha o Castellan.',
    accessAct: 'Dar acesso a este programa …',
    tryAgain: 'Tentar de novo',
    rescueText:
      'Neste computador, o Castellan roda como Serviços do Windows. Se você os remover, este programa executa tudo sozinho. De qualquer forma, o Windows pede permissão de administrador, e seus dados ficam.',
    repair: 'Terminar de instalar os serviços …',
    giveUp: 'Remover os serviços …',
  },
);
