import { defineWords } from '#contracts/words.ts';

export const accessWords = defineWords(
  {
    signIn: 'Sign in',
    signInAgain: 'Your session has ended',
    signInAgainText:
      'Sign in again to continue. What you typed is still here, unless another person signs in.',
    name: 'Name',
    password: 'Password',
    code: 'Code',
    codeHelp: 'From your authenticator app, or a recovery code.',
    showPassword: 'Show password',
    capsLock: 'Caps Lock is on.',
    wait: (seconds: number) => `Wait ${seconds} s`,
    awayTitle: 'Castellan is not responding',
    troubleTitle: 'Castellan could not be opened',
    continue: 'Continue',
    back: 'Back',
    asking: 'Connecting to Castellan …',
    setUp: 'Create the owner account',
    setUpText:
      'This installation has no owner yet. The owner can do everything, including adding other admins.',
    setUpLink: 'Open the setup link',
    setUpLinkText:
      'Only the setup link lets you create the owner account. You find it in setup-link.txt in the data folder and in the API log. Or run this on the machine itself:',
    newPassword: 'Password (at least 10 characters)',
    create: 'Create owner',
    stepUp: {
      title: 'Confirm it’s you',
      text: (minutes: number) =>
        `This action is sensitive, so enter your password or a code again. Castellan won’t ask again for ${minutes} minutes.`,
      usePassword: 'Use password instead',
      useCode: 'Use a code instead',
      cancel: 'Cancel',
      confirm: 'Confirm',
    },
    standing: {
      desktop: 'Owner of this machine',
      key: 'API key',
      servers: 'Permissions on some servers only',
      ownRole: 'Custom role',
    },
    unlicensed: {
      text: 'Until then, the panel stays closed. Your game servers keep running.',
      remedy: 'What to do',
      hwid: 'Hardware ID (HWID)',
      copyHwid: 'Copy hardware ID (HWID)',
      onMachine: 'On the machine that runs Castellan, open its window or run:',
      waiting: 'This page continues automatically once the license is active.',
      check: 'Check now',
    },
  },
  {
    signIn: 'Entrar',
    signInAgain: 'Sua sessão terminou',
    signInAgainText:
      'Entre de novo para continuar. O que você digitou continua aqui, a menos que outra pessoa entre.',
    name: 'Nome',
    password: 'Senha',
    code: 'Código',
    codeHelp: 'Do seu aplicativo autenticador, ou um código de recuperação.',
    showPassword: 'Mostrar senha',
    capsLock: 'O Caps Lock está ligado.',
    wait: (seconds: number) => `Espere ${seconds} s`,
    awayTitle: 'O Castellan não está respondendo',
    troubleTitle: 'Não foi possível abrir o Castellan',
    continue: 'Continuar',
    back: 'Voltar',
    asking: 'Conectando ao Castellan …',
    setUp: 'Criar a conta do proprietário',
    setUpText:
      'Esta instalação ainda não tem proprietário. O proprietário pode fazer tudo, inclusive adicionar outros administradores.',
    setUpLink: 'Abra o link de configuração',
    setUpLinkText:
      'Só o link de configuração permite criar a conta do proprietário. Ele está em setup-link.txt, na pasta de dados, e no log da API. Ou execute isto na própria máquina:',
    newPassword: 'Senha (pelo menos 10 caracteres)',
    create: 'Criar proprietário',
    stepUp: {
      title: 'Confirme que é você',
      text: (minutes: number) =>
        `Esta ação é delicada, por isso digite sua senha ou um código de novo. O Castellan não perguntará outra vez por ${minutes} minutos.`,
      usePassword: 'Usar a senha',
      useCode: 'Usar um código',
      cancel: 'Cancelar',
      confirm: 'Confirmar',
    },
    standing: {
      desktop: 'Dono desta máquina',
      key: 'Chave de API',
      servers: 'Permissões só em alguns servidores',
      ownRole: 'Função personalizada',
    },
    unlicensed: {
      text: 'Até lá, o painel fica fechado. Seus servidores de jogo continuam rodando.',
      remedy: 'O que fazer',
      hwid: 'ID de hardware (HWID)',
      copyHwid: 'Copiar ID de hardware (HWID)',
      onMachine: 'Na máquina que roda o Castellan, abra a janela dele ou execute:',
      waiting: 'Esta página continua automaticamente quando a licença estiver ativa.',
      check: 'Verificar agora',
    },
  },
);
