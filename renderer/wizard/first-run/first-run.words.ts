import { defineWords } from '../../language/define-words.ts';

export const firstRunWords = defineWords(
  {
    title: 'Welcome to Castellan',
    text: 'A few choices, then everything is set up on this machine. You can close this window at any time: what you chose is found again, except for the token of the bot.',
    steps: {
      portal: 'License portal',
      folder: 'Folder',
      network: 'Network',
      discord: 'Discord',
      begin: 'Begin',
    },
    stepsLabel: 'Steps',
    next: 'Continue',
    back: 'Back',
    checking: 'Checking …',
    gone: (home: string) =>
      `The folder ${home}, which Castellan used until now, is not there. If it is on a drive, plug that in and try again; nothing is made anew unless you choose so.`,
    tryAgain: 'Try again',
    damaged: 'The settings of this window were damaged',
    damagedText:
      'If Castellan ran on this machine before, choose the folder it used: everything in it is taken up. The damaged file is kept here:',
    unspellable: 'Castellan cannot run from the folder that it was installed in',
    unspellableText:
      'The database cannot work with letters in its name on this machine. Install Castellan in a folder that is named in plain letters (a–z).',
    libraries: 'Something of Windows is missing',
    librariesText: (names: string) =>
      `The database needs ${names}. Install the Microsoft Visual C++ Redistributable 2015–2022 (x64), then try again.`,
    librariesLink: 'Get it from Microsoft',
    portal: {
      title: 'Where the license comes from',
      text: 'Castellan runs with a license, which a license portal issues. This build names no portal, so you choose one here.',
      demoTitle: 'Try it with a demo portal',
      demoText:
        'A portal runs on this machine and issues you a demo license. Everything works. You can connect to a real portal later.',
      demo: 'Use a demo portal',
      connectTitle: 'Connect to a license portal',
      address: 'Address of the portal',
      addressHelp: 'You get it from the vendor of your license.',
      paste: 'I have the public key of the portal',
      key: 'Public key',
      keyHelp: '43 letters, digits, - and _. The portal must have the same key.',
      keyWrong: 'A public key has 43 characters: letters, digits, - and _.',
      lookUp: 'Show its key',
      compare:
        'Compare this fingerprint with the one from your vendor. If they differ, something else answered in place of the portal.',
      matches: 'The portal has the key that you pasted.',
      foundAddress: 'Portal',
      fingerprint: 'Fingerprint',
      confirm: 'They match, use this portal',
      use: 'Use this portal',
      plainConfirm: 'Connect without encryption',
      faults: {
        'no-address': {
          title: 'This is not an address',
          text: 'Write it like https://licenses.example.com.',
        },
        plain: {
          title: 'This connection has no encryption',
          text: 'Others in the network could read your license key. Use https, or confirm below if you trust the network.',
        },
        unreachable: {
          title: 'The portal cannot be reached',
          text: 'Check the address, and whether this machine is online. Then try again.',
        },
        'no-portal': {
          title: 'There is no license portal at this address',
          text: 'Check the address with the vendor of your license.',
        },
        'other-key': {
          title: 'The portal has another key',
          text: 'Check the address and the key with the vendor of your license. Do not go on if both are right: something else answers there.',
        },
      },
    },
    folder: {
      title: 'Where everything is kept',
      text: 'Database, backups, logs and settings. A drive that stays in this machine, with some gigabytes free.',
      label: 'Home folder',
      choose: 'Choose …',
      usual: 'Use the usual folder',
      takenUp: 'There is an installation in this folder already. It is taken up as it is.',
      fresh: 'The folder can be used.',
      wrong: {
        'not-absolute': 'Write the folder in full, such as C:\\Castellan or /srv/castellan.',
        unspellable:
          'The name of this folder has letters that the database cannot use on this machine. Choose one named in plain letters, such as D:\\Castellan.',
        'no-drive': 'There is no such drive.',
        'not-a-folder': 'There is a file of that name.',
        'not-writable': 'Castellan may not write there. Choose another folder.',
        'key-lost':
          'There is a database in this folder, but its .env is missing, and with it the key that opens its secrets. Put the .env back, or choose another folder.',
        away: 'Your installation was in this folder. Plug in its drive and try again; to begin anew, choose another folder.',
        programs:
          'Castellan itself is installed there, and an update would take the data away. Choose another folder.',
        network:
          'This folder is on another machine. A database needs a disk of its own machine: a network that stumbles would damage it.',
        synced:
          'This folder is kept in step with a cloud, which would change files under the database. Choose one outside of it.',
        rights:
          'The database cannot keep its files from other accounts there. Choose another folder or disk.',
        full: 'There is not enough room on this disk. Make room, or choose a folder on another disk.',
      },
    },
    network: {
      title: 'How it is reached',
      text: 'Both ports were looked for and are free, unless it says otherwise here.',
      apiPort: 'Port of the panel and the API',
      postgresPort: 'Port of the database, on this machine alone',
      taken: (port: number, owner: string) => `Port ${port} is in use by ${owner}.`,
      takenUnknown: (port: number) => `Port ${port} is in use by another program.`,
      forbidden: (port: number) => `Port ${port} may not be used on this machine.`,
      twice: 'The two ports have to be different ones.',
      freeInstead: (port: number) => `Use ${port} instead`,
      open: 'Other machines may reach it',
      openText:
        'Needed for game servers on other machines and for browsers elsewhere. Off, only this machine reaches it; it can be changed later.',
      openAddresses: 'Agents and browsers elsewhere then use:',
      openRisk:
        'Without a certificate, passwords cross your network in the clear. Open it to a network that you trust, or put a reverse proxy with TLS in front.',
      firewall:
        'The firewall of Windows still keeps other machines out. When everything is set up, Windows asks for an administrator’s rights to let them through; a “no” can be made up for later under This computer.',
    },
    discord: {
      title: 'Discord bot',
      text: 'Optional; it can be added later on the page “Discord”. The token is on the page of your application in the Discord developer portal, under Bot.',
      skip: 'Continue without Discord',
    },
    begin: {
      title: 'Ready',
      text: 'Castellan now writes its settings, makes the database and starts. Then come the license and the account of the owner.',
      home: 'Folder',
      address: 'Address',
      reach: 'Reached from',
      reachHere: 'this machine alone',
      reachAll: 'other machines, too',
      discord: 'Discord bot',
      discordOn: 'with a token',
      discordOff: 'later',
      portal: 'License portal',
      portalDemo: 'demo, on this machine',
      portalComing: 'The demo portal starts and issues a license. This takes up to a minute.',
      begin: 'Set up and start',
      refused: 'It could not be set up',
    },
  },
  {
    title: 'Boas-vindas ao Castellan',
    text: 'Algumas escolhas, depois tudo é instalado nesta máquina. Você pode fechar esta janela a qualquer momento: o que você escolheu continua aqui, menos o token do bot.',
    steps: {
      portal: 'Portal de licenças',
      folder: 'Pasta',
      network: 'Rede',
      discord: 'Discord',
      begin: 'Começar',
    },
    stepsLabel: 'Etapas',
    next: 'Continuar',
    back: 'Voltar',
    checking: 'Verificando …',
    gone: (home: string) =>
      `A pasta ${home}, que o Castellan usava até agora, não está lá. Se ela fica em um disco, conecte-o e tente de novo; nada é criado do zero a menos que você escolha.`,
    tryAgain: 'Tentar de novo',
    damaged: 'As configurações desta janela estavam danificadas',
    damagedText:
      'Se o Castellan já rodou nesta máquina, escolha a pasta que ele usava: tudo o que está nela é retomado. O arquivo danificado foi guardado aqui:',
    unspellable: 'O Castellan não pode ser executado na pasta em que foi instalado',
    unspellableText:
      'O banco de dados não consegue lidar com letras do nome dela nesta máquina. Instale o Castellan em uma pasta com letras simples (a–z) no nome.',
    libraries: 'Falta algo do Windows',
    librariesText: (names: string) =>
      `O banco de dados precisa de ${names}. Instale o Microsoft Visual C++ Redistributable 2015–2022 (x64) e tente de novo.`,
    librariesLink: 'Baixar da Microsoft',
    portal: {
      title: 'De onde vem a licença',
      text: 'O Castellan funciona com uma licença, emitida por um portal de licenças. Esta versão não indica nenhum portal, então escolha um aqui.',
      demoTitle: 'Experimentar com um portal de demonstração',
      demoText:
        'Um portal roda nesta máquina e emite uma licença de demonstração. Tudo funciona. Você pode conectar um portal de verdade depois.',
      demo: 'Usar um portal de demonstração',
      connectTitle: 'Conectar a um portal de licenças',
      address: 'Endereço do portal',
      addressHelp: 'O vendedor da sua licença informa o endereço.',
      paste: 'Tenho a chave pública do portal',
      key: 'Chave pública',
      keyHelp: '43 letras, números, - e _. O portal precisa ter a mesma chave.',
      keyWrong: 'Uma chave pública tem 43 caracteres: letras, números, - e _.',
      lookUp: 'Mostrar a chave dele',
      compare:
        'Compare esta impressão digital com a do seu vendedor. Se forem diferentes, outra coisa respondeu no lugar do portal.',
      matches: 'O portal tem a chave que você colou.',
      foundAddress: 'Portal',
      fingerprint: 'Impressão digital',
      confirm: 'São iguais, usar este portal',
      use: 'Usar este portal',
      plainConfirm: 'Conectar sem criptografia',
      faults: {
        'no-address': {
          title: 'Isto não é um endereço',
          text: 'Escreva como https://licenses.example.com.',
        },
        plain: {
          title: 'Esta conexão não tem criptografia',
          text: 'Outros na rede poderiam ler a sua chave de licença. Use https, ou confirme abaixo se você confia na rede.',
        },
        unreachable: {
          title: 'O portal não pode ser alcançado',
          text: 'Confira o endereço e se esta máquina está na internet. Depois tente de novo.',
        },
        'no-portal': {
          title: 'Não há um portal de licenças neste endereço',
          text: 'Confira o endereço com o vendedor da sua licença.',
        },
        'other-key': {
          title: 'O portal tem outra chave',
          text: 'Confira o endereço e a chave com o vendedor da sua licença. Não continue se os dois estiverem certos: outra coisa responde lá.',
        },
      },
    },
    folder: {
      title: 'Onde tudo fica guardado',
      text: 'Banco de dados, backups, logs e configurações. Um disco que fica nesta máquina, com alguns gigabytes livres.',
      label: 'Pasta principal',
      choose: 'Escolher …',
      usual: 'Usar a pasta padrão',
      takenUp: 'Já existe uma instalação nesta pasta. Ela é usada como está.',
      fresh: 'A pasta pode ser usada.',
      wrong: {
        'not-absolute': 'Escreva a pasta por inteiro, como C:\\Castellan ou /srv/castellan.',
        unspellable:
          'O nome desta pasta tem letras que o banco de dados não consegue usar nesta máquina. Escolha uma com letras simples, como D:\\Castellan.',
        'no-drive': 'Esse disco não existe.',
        'not-a-folder': 'Existe um arquivo com esse nome.',
        'not-writable': 'O Castellan não pode gravar lá. Escolha outra pasta.',
        'key-lost':
          'Há um banco de dados nesta pasta, mas falta o .env dele, e com ele a chave que abre os segredos. Coloque o .env de volta ou escolha outra pasta.',
        away: 'Sua instalação estava nesta pasta. Conecte o disco dela e tente de novo; para começar do zero, escolha outra pasta.',
        programs:
          'O próprio Castellan está instalado lá, e uma atualização levaria os dados. Escolha outra pasta.',
        network:
          'Esta pasta fica em outra máquina. Um banco de dados precisa de um disco da própria máquina: uma rede que falha o danificaria.',
        synced:
          'Esta pasta é sincronizada com uma nuvem, que mudaria arquivos por baixo do banco de dados. Escolha uma fora dela.',
        rights:
          'Lá o banco de dados não consegue proteger seus arquivos de outras contas. Escolha outra pasta ou disco.',
        full: 'Não há espaço suficiente neste disco. Libere espaço ou escolha uma pasta em outro disco.',
      },
    },
    network: {
      title: 'Como ele é acessado',
      text: 'As duas portas foram verificadas e estão livres, a não ser que aqui diga outra coisa.',
      apiPort: 'Porta do painel e da API',
      postgresPort: 'Porta do banco de dados, só nesta máquina',
      taken: (port: number, owner: string) => `A porta ${port} está em uso por ${owner}.`,
      takenUnknown: (port: number) => `A porta ${port} está em uso por outro programa.`,
      forbidden: (port: number) => `A porta ${port} não pode ser usada nesta máquina.`,
      twice: 'As duas portas precisam ser diferentes.',
      freeInstead: (port: number) => `Usar a ${port}`,
      open: 'Outras máquinas podem acessar',
      openText:
        'Necessário para servidores de jogo em outras máquinas e para navegadores em outro lugar. Desligado, só esta máquina acessa; pode ser mudado depois.',
      openAddresses: 'Agentes e navegadores em outro lugar usam então:',
      openRisk:
        'Sem certificado, as senhas passam pela sua rede sem proteção. Abra só para uma rede em que você confia, ou use um proxy reverso com TLS.',
      firewall:
        'O firewall do Windows ainda barra as outras máquinas. Quando tudo estiver instalado, o Windows pede os direitos de um administrador para deixá-las passar; um “não” pode ser corrigido depois em Este computador.',
    },
    discord: {
      title: 'Bot do Discord',
      text: 'Opcional; pode ser incluído depois na página “Discord”. O token está na página do seu aplicativo no portal de desenvolvedores do Discord, em Bot.',
      skip: 'Continuar sem o Discord',
    },
    begin: {
      title: 'Tudo pronto',
      text: 'Agora o Castellan grava as configurações, cria o banco de dados e inicia. Depois vêm a licença e a conta do proprietário.',
      home: 'Pasta',
      address: 'Endereço',
      reach: 'Acessado de',
      reachHere: 'só desta máquina',
      reachAll: 'outras máquinas também',
      discord: 'Bot do Discord',
      discordOn: 'com um token',
      discordOff: 'mais tarde',
      portal: 'Portal de licenças',
      portalDemo: 'demonstração, nesta máquina',
      portalComing: 'O portal de demonstração inicia e emite uma licença. Isso leva até um minuto.',
      begin: 'Instalar e iniciar',
      refused: 'Não foi possível instalar',
    },
  },
);
