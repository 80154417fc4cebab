import { plural } from '#contracts/kernel/language.ts';
import { defineWords } from '#contracts/kernel/words.ts';

/** From the first start of a portal to being signed in. */
export const signInWords = defineWords(
  {
    signIn: 'Sign in',
    goOn: 'Continue',
    name: 'Name',
    password: 'Password',
    noAccount: 'No accounts yet.',
    makeFirst: 'Create the first account',
    tooLate: 'This initial password has expired. Ask another vendor to reset your account.',
    wrongPassword: 'The name or password is wrong, or the account is disabled. Check both and try again.',
    code: 'Your code',
    codeLabel: 'Code from your authenticator',
    codeHint: 'Six digits. Without your authenticator, use a recovery code.',
    wrongCode: (tries: number) =>
      `The code is wrong or was already used. ${plural.en(tries, 'attempt is', 'attempts are')} left.`,
    scan: 'Scan this code with your authenticator app.',
    openApp: 'Open the app on this device',
    qr: 'QR code that adds the account to your authenticator. You can type the key next to it instead.',
    typeKey: 'Or enter this key (time-based, six digits).',
    key: 'Key for your authenticator',
    shownCode: 'Current code from your authenticator',
    enrol: 'Set up your account',
    ownPassword: 'Your new password',
    ownPasswordHint: 'At least 10 characters. The password that you signed in with stops working.',
    badPassword: {
      length: 'Choose a password of 10 to 256 characters.',
      initial: 'Choose a password other than the initial one, which another person knows.',
    },
    wrongShownCode: 'The code is wrong. Wait for the next one and enter it.',
    recovery: 'Your recovery codes',
    recoveryText:
      'Each code signs you in once without your authenticator. They are shown only once. Store them separately from your authenticator.',
    recoveryList: 'Recovery codes',
    kept: 'I have saved my recovery codes',
    first: 'Create the first account',
    adminToken: 'Admin token',
    adminTokenHint:
      'PORTAL_ADMIN_TOKEN from the portal’s settings. It no longer works once an account exists.',
    wrongToken: 'The admin token is wrong. Copy it from the portal’s settings.',
    noToken: (setting: string) =>
      `Set ${setting} to at least 32 random characters, restart the portal and reload this page. Or create the account with this command on the portal’s machine:`,
    yourName: 'Your name',
    yourPassword: 'Your password',
    passwordHint: 'At least 10 characters.',
    badName:
      'Enter a name of up to 64 letters, digits and symbols, with the letters of one alphabet within a word.',
    create: 'Create account',
  },
  {
    signIn: 'Entrar',
    goOn: 'Continuar',
    name: 'Nome',
    password: 'Senha',
    noAccount: 'Nenhuma conta ainda.',
    makeFirst: 'Criar a primeira conta',
    tooLate: 'Esta senha inicial expirou. Peça a outro vendedor que redefina sua conta.',
    wrongPassword:
      'O nome ou a senha está errado, ou a conta está desativada. Confira os dois e tente de novo.',
    code: 'Seu código',
    codeLabel: 'Código do seu autenticador',
    codeHint: 'Seis dígitos. Sem o autenticador, use um código de recuperação.',
    wrongCode: (tries: number) =>
      `O código está errado ou já foi usado. ${plural.pt(tries, 'tentativa restante', 'tentativas restantes')}.`,
    scan: 'Escaneie este código com seu aplicativo autenticador.',
    openApp: 'Abrir o aplicativo neste dispositivo',
    qr: 'Código QR que adiciona a conta ao seu autenticador. Se preferir, digite a chave ao lado.',
    typeKey: 'Ou digite esta chave (baseada em tempo, seis dígitos).',
    key: 'Chave para o seu autenticador',
    shownCode: 'Código atual do seu autenticador',
    enrol: 'Configure sua conta',
    ownPassword: 'Sua nova senha',
    ownPasswordHint: 'Pelo menos 10 caracteres. A senha com que você entrou deixa de funcionar.',
    badPassword: {
      length: 'Escolha uma senha de 10 a 256 caracteres.',
      initial: 'Escolha uma senha diferente da inicial, que outra pessoa conhece.',
    },
    wrongShownCode: 'O código está errado. Espere o próximo e digite-o.',
    recovery: 'Seus códigos de recuperação',
    recoveryText:
      'Cada código permite entrar uma vez sem o autenticador. Eles são mostrados uma única vez. Guarde-os separados do autenticador.',
    recoveryList: 'Códigos de recuperação',
    kept: 'Salvei meus códigos de recuperação',
    first: 'Criar a primeira conta',
    adminToken: 'Token de administrador',
    adminTokenHint:
      'PORTAL_ADMIN_TOKEN, das configurações do portal. Ele deixa de valer assim que existir uma conta.',
    wrongToken: 'O token de administrador está errado. Copie-o das configurações do portal.',
    noToken: (setting: string) =>
      `Defina ${setting} com pelo menos 32 caracteres aleatórios, reinicie o portal e recarregue esta página. Ou crie a conta com este comando na máquina do portal:`,
    yourName: 'Seu nome',
    yourPassword: 'Sua senha',
    passwordHint: 'Pelo menos 10 caracteres.',
    badName:
      'Digite um nome com até 64 letras, dígitos e símbolos, com letras de um só alfabeto em cada palavra.',
    create: 'Criar conta',
  },
);
