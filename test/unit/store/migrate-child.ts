import { Database } from '#store/database';
import { migrate } from '#store/migrations';

// Upgrades a database and dies right before the nth statement of it.
const [path = '', nth = ''] = process.argv.slice(2);

class Dying extends Database {
  #seen = 0;

  override execute(sql: string): void {
    this.#count();
    super.execute(sql);
  }

  override transaction<T>(work: () => T): T {
    return super.transaction(() => {
      const value = work();
      // Everything is done but the commit.
      this.#count();
      return value;
    });
  }

  #count(): void {
    if (++this.#seen === Number(nth)) process.kill(process.pid, 'SIGKILL');
  }
}

const database = new Dying(path);
migrate(database);
database.close();
