import { defineWords } from '../language/define-words.ts';

export const servicesWords = defineWords(
  {
    parts: { postgres: 'the database', api: 'the API', bot: 'the Discord bot' },
    steps: {
      ask: 'Waiting for Windows to ask for an administrator …',
      'stop-app': 'Stopping what this program runs, in order …',
      'start-app': 'Starting everything in this program …',
      create: (part: string) => `Making the service of ${part} …`,
      delete: (part: string) => `Removing the service of ${part} …`,
      start: (part: string) => `Starting ${part} …`,
      stop: (part: string) => `Stopping ${part} …`,
      'write-envs': 'Writing the settings of the services …',
      'remove-envs': 'Removing the settings of the services …',
      'grant-rights': 'Giving the services their rights in the data folder …',
      'revoke-rights': 'Taking back the rights of the services …',
      'await-health': 'Waiting until the API is healthy; the first time that takes a minute or two …',
      'make-access': 'Letting this desktop in …',
      all: 'the services',
    },
    refused: 'Nothing was changed',
    refusedText:
      'Windows asked for an administrator’s rights, and they were refused. Everything runs on as before. Try again and choose “Yes”, or have somebody with an administrator’s password do it.',
    impossible: 'Windows did not ask',
    impossibleText:
      'This account may not ask for an administrator’s rights: a policy of this computer forbids it. Sign in as an administrator and try again there. Nothing was changed.',
    busy: 'Another change is under way',
    busyText: 'Wait until it is over.',
    taken: 'The names of the services are taken',
    takenText: 'A computer has each of these names once. Nothing was changed.',
    takenBy: (service: string, home: string) =>
      `${service} belongs to the Castellan in ${home}. Remove its services there first.`,
    takenByOther: (service: string) => `${service} belongs to another program.`,
    undone: 'It did not work, and was undone',
    undoneText: 'Everything is as it was before.',
    left: 'It did not work, and not all of it could be undone',
    leftText: 'This could not be brought back by itself. Restart Windows, then try again:',
    failed: 'It did not work',
    faults: {
      'needs-elevation': 'Windows says that this needs more rights than the account has that was chosen.',
      'depended-upon': 'Another service that runs depends on it. Stop that one first.',
      disabled: 'A service is disabled. Enable it in Windows’s list of services (services.msc).',
      'marked-for-deletion':
        'A service is marked for deletion. Close Windows’s list of services and the Task Manager, sign out or restart Windows, and try again.',
      exists: 'A service of that name is there already.',
      other: 'The logs say more.',
    },
    accessTitle: 'Let this desktop in',
    accessMissing:
      'The services run Castellan, and this Windows account has no key to them yet. An administrator lets it in once; Windows keeps the key for this account alone.',
    accessRefused:
      'The key of this Windows account was revoked, or is older than a year. An administrator lets it in anew.',
    accessForNow:
      'Windows keeps no secrets for this account, so the key is lost when Castellan is closed, and has to be asked for again.',
    accessAct: 'Let this desktop in …',
    tryAgain: 'Try again',
    rescueText:
      'On this computer Castellan runs as Windows Services. Without them, this program runs everything itself. Either way Windows asks for an administrator’s rights, and all data stays.',
    repair: 'Finish the installation of the services …',
    giveUp: 'Remove the services …',
  },
  {
    parts: { postgres: 'o banco de dados', api: 'a API', bot: 'o bot do Discord' },
    steps: {
      ask: 'Esperando o Windows pedir um administrador …',
      'stop-app': 'Parando o que este programa executa, em ordem …',
      'start-app': 'Iniciando tudo neste programa …',
      create: (part: string) => `Criando o serviço: ${part} …`,
      delete: (part: string) => `Removendo o serviço: ${part} …`,
      start: (part: string) => `Iniciando: ${part} …`,
      stop: (part: string) => `Parando: ${part} …`,
      'write-envs': 'Gravando as configurações dos serviços …',
      'remove-envs': 'Removendo as configurações dos serviços …',
      'grant-rights': 'Dando aos serviços seus direitos na pasta de dados …',
      'revoke-rights': 'Retirando os direitos dos serviços …',
      'await-health': 'Esperando a API ficar saudável; na primeira vez leva um ou dois minutos …',
      'make-access': 'Dando acesso a este programa …',
      all: 'os serviços',
    },
    refused: 'Nada foi alterado',
    refusedText:
      'O Windows pediu direitos de administrador, e eles foram recusados. Tudo continua como antes. Tente de novo e escolha “Sim”, ou peça a alguém com a senha de um administrador.',
    impossible: 'O Windows não perguntou',
    impossibleText:
      'Esta conta não pode pedir direitos de administrador: uma política deste computador proíbe. Entre como administrador e tente de novo lá. Nada foi alterado.',
    busy: 'Outra mudança está em andamento',
    busyText: 'Espere até que ela termine.',
    taken: 'Os nomes dos serviços estão ocupados',
    takenText: 'Um computador tem cada um destes nomes uma vez só. Nada foi alterado.',
    takenBy: (service: string, home: string) =>
      `${service} pertence ao Castellan em ${home}. Remova os serviços dele primeiro.`,
    takenByOther: (service: string) => `${service} pertence a outro programa.`,
    undone: 'Não funcionou e foi desfeito',
    undoneText: 'Tudo está como antes.',
    left: 'Não funcionou, e nem tudo pôde ser desfeito',
    leftText: 'Isto não pôde ser restaurado sozinho. Reinicie o Windows e tente de novo:',
    failed: 'Não funcionou',
    faults: {
      'needs-elevation': 'O Windows diz que isto precisa de mais direitos do que tem a conta escolhida.',
      'depended-upon': 'Outro serviço em execução depende dele. Pare aquele primeiro.',
      disabled: 'Um serviço está desativado. Ative-o na lista de serviços do Windows (services.msc).',
      'marked-for-deletion':
        'Um serviço está marcado para exclusão. Feche a lista de serviços e o Gerenciador de Tarefas, saia da conta ou reinicie o Windows e tente de novo.',
      exists: 'Já existe um serviço com esse nome.',
      other: 'Os logs dizem mais.',
    },
    accessTitle: 'Dê acesso a este programa',
    accessMissing:
      'Os serviços executam o Castellan, e esta conta do Windows ainda não tem uma chave para eles. Um administrador dá o acesso uma vez; o Windows guarda a chave só para esta conta.',
    accessRefused:
      'A chave desta conta do Windows foi revogada ou tem mais de um ano. Um administrador dá o acesso de novo.',
    accessForNow:
      'O Windows não guarda segredos para esta conta; a chave se perde quando o Castellan é fechado e terá de ser pedida de novo.',
    accessAct: 'Dar acesso a este programa …',
    tryAgain: 'Tentar de novo',
    rescueText:
      'Neste computador o Castellan funciona como Serviços do Windows. Sem eles, este programa executa tudo sozinho. De um jeito ou de outro, o Windows pede direitos de administrador, e todos os dados ficam.',
    repair: 'Terminar a instalação dos serviços …',
    giveUp: 'Remover os serviços …',
  },
);
