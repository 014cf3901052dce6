import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { isAlone, isScreenTest } from './alone.ts'

/**
 * Files that need the shared world alone run in parallel with journeys, which have worlds of their own; this way no file
 * waits for another.
 */
export class Order extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const journeys = sorted.filter(({ moduleId }) => !isScreenTest(moduleId))
    const alone = sorted.filter(({ moduleId }) => isAlone(moduleId))
    const others = sorted.filter((file) => !journeys.includes(file) && !alone.includes(file))
    const beside = journeys.flatMap((journey, index) => [journey, ...alone.slice(index, index + 1)])
    return [...beside, ...alone.slice(journeys.length), ...others]
  }
}
