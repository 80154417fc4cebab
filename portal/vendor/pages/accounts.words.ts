import { defineWords } from '#contracts/kernel/words.ts';

export const accountsWords = defineWords(
  {
    title: 'Accounts',
    caption: 'Vendor accounts',
    head: { name: 'Name', state: 'State', made: 'Created', last: 'Last sign-in', act: 'Action' },
    states: { active: 'active', invited: 'invited', lapsed: 'invitation expired', disabled: 'disabled' },
    empty: 'No accounts yet.',
    never: 'never',
    another: 'Add account',
    anotherText: 'Give each person their own account, because the event log names it.',
    name: 'Name',
    create: 'Create account',
    firstPassword: (name: string) => `Initial password for ${name}`,
    handOver: (days: number) =>
      `Give this password to the person directly. It is shown only once and is valid for ${days} days. They choose a new one when they first sign in.`,
    back: 'Back to accounts',
    refusals: {
      'no-account': 'This account does not exist.',
      'bad-name':
        'Enter a name of up to 64 letters, digits and symbols, with the letters of one alphabet within a word.',
      'name-taken': 'An account with this name already exists. Choose another name.',
      'disabled-already': 'The account is already disabled.',
      'last-account': 'This is the only account that can sign in. Create another one before you disable it.',
      'not-disabled': 'The account is not disabled.',
    },
    steps: {
      disable: {
        label: 'Disable',
        title: (name: string) => `Disable account ${name}`,
        act: 'Disable account',
        meaning: 'No one can sign in with this account, and its sessions end now. You can enable it again.',
      },
      enable: {
        label: 'Enable',
        title: (name: string) => `Enable account ${name}`,
        act: 'Enable account',
        meaning: 'The account can sign in again with its password and authenticator.',
      },
      reset: {
        label: 'Reset',
        title: (name: string) => `Reset account ${name}`,
        act: 'Reset account',
        meaning:
          'The account gets a new initial password, which is shown once. Its password, authenticator and recovery codes stop working, and its sessions end now.',
      },
    },
  },
  {
    title: 'Contas',
    caption: 'Contas do vendedor',
    head: { name: 'Nome', state: 'Estado', made: 'Criada', last: 'Último acesso', act: 'Ação' },
    states: { active: 'ativa', invited: 'convidada', lapsed: 'convite expirado', disabled: 'desativada' },
    empty: 'Nenhuma conta ainda.',
    never: 'nunca',
    another: 'Adicionar conta',
    anotherText: 'Dê a cada pessoa uma conta própria, pois o registro de eventos mostra o nome dela.',
    name: 'Nome',
    create: 'Criar conta',
    firstPassword: (name: string) => `Senha inicial de ${name}`,
    handOver: (days: number) =>
      `Entregue esta senha diretamente à pessoa. Ela é mostrada uma única vez e vale por ${days} dias. No primeiro acesso, a pessoa escolhe uma nova.`,
    back: 'Voltar às contas',
    refusals: {
      'no-account': 'Esta conta não existe.',
      'bad-name':
        'Digite um nome com até 64 letras, dígitos e símbolos, com letras de um só alfabeto em cada palavra.',
      'name-taken': 'Já existe uma conta com este nome. Escolha outro.',
      'disabled-already': 'A conta já está desativada.',
      'last-account': 'Esta é a única conta que pode entrar. Crie outra antes de desativá-la.',
      'not-disabled': 'A conta não está desativada.',
    },
    steps: {
      disable: {
        label: 'Desativar',
        title: (name: string) => `Desativar conta ${name}`,
        act: 'Desativar conta',
        meaning:
          'Ninguém pode entrar com esta conta, e as sessões dela terminam agora. Você pode ativá-la de novo.',
      },
      enable: {
        label: 'Ativar',
        title: (name: string) => `Ativar conta ${name}`,
        act: 'Ativar conta',
        meaning: 'A conta pode entrar de novo com sua senha e seu autenticador.',
      },
      reset: {
        label: 'Redefinir',
        title: (name: string) => `Redefinir conta ${name}`,
        act: 'Redefinir conta',
        meaning:
          'A conta recebe uma nova senha inicial, mostrada uma única vez. A senha, o autenticador e os códigos de recuperação dela deixam de valer, e as sessões terminam agora.',
      },
    },
  },
);
