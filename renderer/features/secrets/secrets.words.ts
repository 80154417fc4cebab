import { plural } from '#contracts/language.ts';
import { defineWords } from '../../language/define-words.ts';

export const secretsWords = defineWords(
  {
    title: 'Secrets',
    description: 'Passwords and service keys are kept encrypted. Here you see with which key.',
    state: 'State',
    fine: (total: number) => `Everything can be read: ${plural.en(total, 'secret', 'secrets')}.`,
    none: 'No secret is kept yet.',
    unreadable: (count: number) => `${plural.en(count, 'secret', 'secrets')} cannot be read.`,
    old: (count: number) =>
      `${plural.en(count, 'secret is', 'secrets are')} still on an old key. Encrypt all anew before you take that key away.`,
    keys: 'Keys',
    key: 'Key',
    count: 'Secrets',
    keyState: {
      current: 'In use',
      previous: 'Old, only for reading',
      unknown: 'Missing',
    },
    keyMeaning: {
      current: 'New secrets are encrypted with it.',
      previous: 'It is set as CONFIG_ENCRYPTION_KEY_PREVIOUS.',
      unknown: 'It is not configured, so what is encrypted with it cannot be read.',
    },
    faults: 'Cannot be read',
    secret: 'Secret',
    fault: { 'unknown-key': 'Its key is missing', damaged: 'Damaged' },
    remedy: {
      'unknown-key':
        'Put the old key into CONFIG_ENCRYPTION_KEY_PREVIOUS and restart the API; or enter the secret anew where it belongs.',
      damaged: 'Enter it anew where it belongs; nothing else brings it back.',
    },
    moreFaults: (count: string) => `And ${count} more.`,
    reencrypt: 'Encrypt all anew',
    reencryptQuestion: 'Encrypt all secrets anew?',
    reencryptText:
      'Every secret is read and encrypted with the key in use. Nothing stops meanwhile, and what cannot be read stays as it is. You can leave this page.',
    run: {
      title: 'Encrypting anew',
      waiting: 'Waiting for its turn',
      running: 'Running',
      done: 'Done',
      progress: (done: string, total: number) => `${done} of ${plural.en(total, 'secret', 'secrets')}`,
      failed: (count: number) =>
        `Left as before, because unreadable: ${plural.en(count, 'secret', 'secrets')}.`,
      asked: 'Started',
      ended: 'Ended',
      nothing: 'There was nothing to do: everything is already on the key in use.',
      never: 'Secrets have never been encrypted anew.',
      leave: 'It goes on when you leave this page.',
    },
    rotation: {
      title: 'Change the encryption key',
      text: 'Do this when somebody may have seen the key, or once a year. On the machine that Castellan runs on, one command does it all, with a backup first:',
      byHand: 'The same by hand, step by step:',
      steps: {
        backUp: 'Make a backup of the database and of the file .env in the home folder.',
        move: 'In .env, move the current key from CONFIG_ENCRYPTION_KEY to CONFIG_ENCRYPTION_KEY_PREVIOUS.',
        make: 'Put a new key into CONFIG_ENCRYPTION_KEY: 64 hexadecimal digits, made by this command:',
        restart: 'Restart the API, under System health or with this command:',
        reencrypt:
          'Come back to this page and choose “Encrypt all anew”. Wait until no secret is on the old key.',
        remove:
          'Take CONFIG_ENCRYPTION_KEY_PREVIOUS out of .env and restart the API once more. Older backups still need the old key: keep it with them, in a safe place.',
      },
      neverOnly:
        'Never replace the key without keeping the old one as the previous one: without it, nobody can read the secrets again.',
    },
  },
  {
    title: 'Segredos',
    description: 'Senhas e chaves de serviços ficam criptografadas. Aqui você vê com qual chave.',
    state: 'Estado',
    fine: (total: number) => `Tudo pode ser lido: ${plural.pt(total, 'segredo', 'segredos')}.`,
    none: 'Nenhum segredo guardado ainda.',
    unreadable: (count: number) =>
      `${plural.pt(count, 'segredo não pode ser lido', 'segredos não podem ser lidos')}.`,
    old: (count: number) =>
      `${plural.pt(count, 'segredo ainda está', 'segredos ainda estão')} numa chave antiga. Criptografe tudo de novo antes de retirar essa chave.`,
    keys: 'Chaves',
    key: 'Chave',
    count: 'Segredos',
    keyState: {
      current: 'Em uso',
      previous: 'Antiga, só para leitura',
      unknown: 'Ausente',
    },
    keyMeaning: {
      current: 'Segredos novos são criptografados com ela.',
      previous: 'Está definida em CONFIG_ENCRYPTION_KEY_PREVIOUS.',
      unknown: 'Não está configurada, por isso o que foi criptografado com ela não pode ser lido.',
    },
    faults: 'Não podem ser lidos',
    secret: 'Segredo',
    fault: { 'unknown-key': 'Falta a chave dele', damaged: 'Danificado' },
    remedy: {
      'unknown-key':
        'Coloque a chave antiga em CONFIG_ENCRYPTION_KEY_PREVIOUS e reinicie a API; ou digite o segredo de novo no lugar dele.',
      damaged: 'Digite de novo no lugar dele; não há outra forma de recuperá-lo.',
    },
    moreFaults: (count: string) => `E mais ${count}.`,
    reencrypt: 'Criptografar tudo de novo',
    reencryptQuestion: 'Criptografar todos os segredos de novo?',
    reencryptText:
      'Cada segredo é lido e criptografado com a chave em uso. Nada para enquanto isso, e o que não pode ser lido fica como está. Você pode sair desta página.',
    run: {
      title: 'Nova criptografia',
      waiting: 'Esperando a vez',
      running: 'Em andamento',
      done: 'Concluída',
      progress: (done: string, total: number) => `${done} de ${plural.pt(total, 'segredo', 'segredos')}`,
      failed: (count: number) =>
        `Sem alteração, por não poder ser lido: ${plural.pt(count, 'segredo', 'segredos')}.`,
      asked: 'Início',
      ended: 'Fim',
      nothing: 'Não havia nada a fazer: tudo já está na chave em uso.',
      never: 'Os segredos ainda não foram criptografados de novo.',
      leave: 'Continua mesmo que você saia desta página.',
    },
    rotation: {
      title: 'Trocar a chave de criptografia',
      text: 'Faça isto quando alguém possa ter visto a chave, ou uma vez por ano. Na máquina em que o Castellan roda, um único comando faz tudo, com um backup antes:',
      byHand: 'O mesmo à mão, passo a passo:',
      steps: {
        backUp: 'Faça um backup do banco de dados e do arquivo .env da pasta principal.',
        move: 'No .env, passe a chave atual de CONFIG_ENCRYPTION_KEY para CONFIG_ENCRYPTION_KEY_PREVIOUS.',
        make: 'Coloque uma chave nova em CONFIG_ENCRYPTION_KEY: 64 dígitos hexadecimais, criados por este comando:',
        restart: 'Reinicie a API, em Saúde do sistema ou com este comando:',
        reencrypt:
          'Volte a esta página e escolha “Criptografar tudo de novo”. Espere até nenhum segredo estar na chave antiga.',
        remove:
          'Retire CONFIG_ENCRYPTION_KEY_PREVIOUS do .env e reinicie a API mais uma vez. Backups mais antigos ainda precisam da chave antiga: guarde-a com eles, em lugar seguro.',
      },
      neverOnly:
        'Nunca troque a chave sem guardar a antiga como anterior: sem ela, ninguém consegue ler os segredos de novo.',
    },
  },
);
